"""Makes what ``make interop`` opens: the dataset of the specimens, unless another is given, and its exports."""

import sys
from contextlib import redirect_stderr
from pathlib import Path

from pipeline.__main__ import main
from tests.conftest import ROOT

EXPORTS = ("bibtex", "ics", "sqlite")


def prepare(folder: Path, out: Path) -> None:
    """Write the exports of the dataset below ``out`` into a folder, each beside what the command says of it."""
    for name in EXPORTS:
        with (folder / f"{name}.txt").open("w", encoding="utf-8") as told, redirect_stderr(told):
            if main(["export", name, "--out", str(out), "-o", str(folder / f"export.{name}")]):
                raise SystemExit(f"conspectus export {name} failed: {folder / name}.txt says why")


if __name__ == "__main__":
    made = Path(sys.argv[1])
    given = Path(sys.argv[2]) if len(sys.argv) > 2 else made / "out"
    if len(sys.argv) == 2 and main(["refresh", "--raw", str(ROOT / "raw"), "--out", str(given), "--quiet"]):
        raise SystemExit("conspectus refresh failed")
    prepare(made, given)
