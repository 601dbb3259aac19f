"""What people look at: the rows of one published snapshot, selected, searched, as a timetable, and their history.

Everything that shows or exports records reads them here: a file that does not match the manifest is never shown.

Imports: base, publishing.
Touches: reads files.
"""
