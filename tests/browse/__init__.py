"""What a browser shows of the pages: ``make browse``. No test of the suite, since it needs a browser."""
