"""Tests of calendars."""
