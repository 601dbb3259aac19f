"""Refreshes a dataset, as the command ``refresh`` does."""

import os
from collections.abc import Sequence
from pathlib import Path

from parsers._registry import sources as known_sources
from pipeline.base.settings import resolve_settings
from pipeline.config import configure, find_config
from pipeline.run.refresh import Result
from pipeline.run.refresh import refresh as run


def refresh(  # noqa: PLR0913  # as the command line has them
    raw: str | Path | None = None,
    out: str | Path | None = None,
    sources: Sequence[str] = (),
    *,
    config: str | Path | None = None,
    engine: str | None = None,
    keep: int = 14,
) -> Result:
    """Parse the new dumps below ``raw``, validate, and publish the good ones below ``out``, as one snapshot.

    ``sources`` are those to refresh, none for all. What is not given is looked up in the environment, then in the
    working directory, as by the command: ``raw``, ``out``, ``sources.toml`` with guards and limits. ``engine`` says who
    reads: ``processes:N``, ``inline`` or the address of a Dask scheduler.

    A source that fails keeps its last good rows; ``good`` of the result is then False. Raises ``UsageError`` for what
    cannot be carried out, and ``PublishError`` where nothing can be published.
    """
    known = known_sources()
    settings = resolve_settings(os.environ, raw=_text(raw), out=_text(out), keep=keep, engine=engine)
    configured = configure(settings, find_config(os.environ, known, _text(config)))
    return run(configured, known, sources)


def _text(path: str | Path | None) -> str | None:
    """Return a path as an option has it."""
    return None if path is None else str(path)
