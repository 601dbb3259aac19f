"""Adds the example sources to a copy of the checkout, as a newcomer would, and runs the tests there.

``examples/`` has the folders of the checkout: what stands in them is copied over it. Each source alone is tested first
(``-m NAME``), then what knows which sources there are. No other file of the copy may change.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
ADDED = ("parsers", "raw", "tests")
# What takes long for a source was tried with each alone.
TOGETHER = ("-n", "2", "--dist", "worksteal", "-m", "not untraced and not nightly")
KNOWS_SOURCES = re.compile(r"\b(?:sources\(|of_sources\b|specimens\b|published\b)")
"""In a test that could tell one more source from none: the registry, or what is made of the raw root."""


def run(folder: Path, *command: str) -> str:
    """Run a command in a folder and return what it prints; what it says of a failure is shown."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}\nfailed: {' '.join(command)}")
    return done.stdout


def copy_checkout(folder: Path) -> None:
    """Copy the files of the checkout as they are, and commit them in the copy."""
    for name in run(ROOT, "git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    run(folder, "git", "init", "--quiet")
    run(folder, "git", "add", "--all")
    who = ("-c", "user.name=examples", "-c", "user.email=examples@conspectus.example")
    run(folder, "git", *who, "commit", "--quiet", "--message", "checkout")


def find_tests(folder: Path) -> list[str]:
    """Return the test files of a checkout that know which sources there are, but for those of one source."""
    files = [file.relative_to(folder) for file in sorted((folder / "tests").rglob("test_*.py"))]
    shared = [file for file in files if file.parts[1] != "sources" or len(file.parts) == 3]
    return [str(file) for file in shared if KNOWS_SOURCES.search((folder / file).read_text())]


def main() -> None:
    """Add the examples and run their tests, then those that all sources share."""
    examples = ROOT / "examples"
    added = {file.relative_to(examples).as_posix() for name in ADDED for file in (examples / name).rglob("*.*")}
    pytest = (sys.executable, "-m", "pytest", "-q")
    with TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        copy_checkout(folder)
        for name in ADDED:
            shutil.copytree(examples / name, folder / name, dirs_exist_ok=True)
        for module in sorted((examples / "parsers").glob("*.py")):
            print(module.stem, run(folder, *pytest, "-m", module.stem, "tests/sources").splitlines()[-1], flush=True)
        run(folder, sys.executable, "-m", "mypy", "--no-error-summary")
        print("all", run(folder, *pytest, *TOGETHER, *find_tests(folder)).splitlines()[-1])
        changed = {line[3:] for line in run(folder, "git", "status", "--porcelain", "-uall").splitlines()}
    if other := sorted(changed ^ {name for name in added if not name.endswith(".pyc")}):
        sys.exit(f"expected the examples and no other file to be new, found {other}")


if __name__ == "__main__":
    main()
