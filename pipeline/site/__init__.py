"""The dataset as pages to look at: programmes as timetables, a page for each talk, calendars; from data to bytes.

Pages open from the folder by double click and run no foreign code, but for that of the search where it is asked for:
whatever a programme prints is text here. They hold no clock, so the same snapshot gives the same bytes; the browser
counts ages.

Imports: base, merging, publishing, reading, viewing, export.
Touches: reads files.
"""
