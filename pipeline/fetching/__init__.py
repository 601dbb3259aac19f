"""Fetches the pages of ``sources.toml`` into the raw archive, politely.

Imports: base, config, publishing, raw, reading.
Touches: network, clock.
"""
