"""What is printed within a line, in any source: dates, years, names, titles, sessions and talks.

Imports: nothing.
"""
