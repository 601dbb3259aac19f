"""Adds the example sources to a copy of the checkout, as a newcomer would, and runs the tests there.

``examples/`` has the folders of the checkout: what stands in them is copied over it. Each source alone is tested first
(``-k NAME``), then all common tests that are about sources. No other file of the copy may change.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
ADDED = ("parsers", "raw", "tests")


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


def main() -> None:
    """Add the examples and run their tests."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        copy_checkout(folder)
        for name in ADDED:
            shutil.copytree(ROOT / "examples" / name, folder / name, dirs_exist_ok=True)
        given = {path.relative_to(ROOT / "examples").as_posix() for path in (ROOT / "examples").rglob("*.*")}
        sources = sorted(file.stem for file in (ROOT / "examples" / "parsers").glob("*.py"))
        pytest = (sys.executable, "-m", "pytest", "-q")
        for source in sources:
            print(source, *run(folder, *pytest, "-k", source).splitlines()[-1:])  # noqa: T201
        files = [
            file.relative_to(folder).as_posix()
            for file in sorted((folder / "tests").glob("test_*.py"))
            if "tests.of_sources" in file.read_text(encoding="utf-8") or file.stem in {"test_config", "test_imports"}
        ]
        print("together", *run(folder, *pytest, *files).splitlines()[-1:])  # noqa: T201
        run(folder, sys.executable, "-m", "mypy", "--no-error-summary")
        changed = {line[3:] for line in run(folder, "git", "status", "--porcelain", "-uall").splitlines()}
        if changed != {path for path in given if path.split("/")[0] in ADDED and not path.endswith(".pyc")}:
            sys.exit(f"expected no other file to be touched, found {sorted(changed)}")


if __name__ == "__main__":
    main()
