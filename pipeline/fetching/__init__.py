"""Fetches pages into the raw archive, politely: one request, one page, all that ``sources.toml`` names."""
