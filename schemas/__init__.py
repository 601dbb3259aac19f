"""The data model: columns, closed lists, notes, and the values that parsers yield. No I/O, no clock."""
