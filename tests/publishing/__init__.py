"""Tests of snapshots: written, switched, compared, verified, read by others."""
