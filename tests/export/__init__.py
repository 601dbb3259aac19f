"""Tests of the faces: what each format writes, read back by other libraries and held to its rules."""
