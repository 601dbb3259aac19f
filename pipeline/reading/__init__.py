"""Reads one dump, from its bytes to frames and its cache entry. A reader process imports nothing that comes later."""
