"""The example of ``sources.toml``: common settings come from ``example.toml``, the rest from each source."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from parsers._contract import Source

_SETTING: Final = re.compile(r"^(?=\[(?!site\])|(?!build = )\w+ = )", re.MULTILINE)


def make_example(sources: Mapping[str, Source]) -> str:
    """Return a file with every setting; sources that are not fetched or have no example are left out."""
    shown = {name: source.web.example for name, source in sources.items() if source.web and source.web.example}
    text = Path(__file__).with_name("example.toml").read_text(encoding="utf-8")
    return text.replace("{one}", next(iter(shown or sources))).replace("{sources}", "\n".join(shown.values()).strip())


def comment_out(text: str) -> str:
    """Comment out the settings of a file, so that it fetches nothing; that pages are built stays."""
    return _SETTING.sub("# ", text)
