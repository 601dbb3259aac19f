"""The dataset and its parsers for programs: ``parse`` a dump, read a ``dataset``, ``refresh`` it.

Everything lives in ``pipeline``, and is imported when it is first used. See ``docs/library.md``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parsers._ledger.document import DumpError
    from pipeline.base.settings import UsageError
    from pipeline.library.dataset import Dataset, dataset
    from pipeline.library.dumps import ParsedDump, parse
    from pipeline.library.runs import refresh
    from pipeline.publishing.publish import PublishError
    from pipeline.publishing.store import StoreError
    from pipeline.run.refresh import Result

_PLACES = {
    "Dataset": "pipeline.library.dataset",
    "DumpError": "parsers._ledger.document",
    "ParsedDump": "pipeline.library.dumps",
    "PublishError": "pipeline.publishing.publish",
    "Result": "pipeline.run.refresh",
    "StoreError": "pipeline.publishing.store",
    "UsageError": "pipeline.base.settings",
    "dataset": "pipeline.library.dataset",
    "parse": "pipeline.library.dumps",
    "refresh": "pipeline.library.runs",
}

__all__ = [  # imported when they are used
    "Dataset",
    "DumpError",
    "ParsedDump",
    "PublishError",
    "Result",
    "StoreError",
    "UsageError",
    "dataset",
    "parse",
    "refresh",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # whatever is asked for
    """Import what is asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
