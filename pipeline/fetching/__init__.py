"""Fetches the pages of ``sources.toml`` into the raw archive, politely."""
