"""The command ``init``: sets up a folder with everything that a nightly refresh needs.

Writes ``sources.toml`` (the commented example), ``raw/``, a service and a timer for systemd, a line for cron, and, with
``--specimens``, the invented specimens. Existing files are not replaced.
"""

import argparse
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from parsers._contract import Source
from pipeline.base.escape import in_one_line, is_utf8
from pipeline.base.settings import Settings, UsageError
from pipeline.cli.console import out
from pipeline.example import comment_out, make_example

_ROOT: Final = Path(__file__).parents[1]
_SERVICE: Final = """\
[Unit]
Description=conspectus: {what}
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
ExecStart={command}
TimeoutStartSec=2h
# It needs the network and writes below its own folder only. Set User= to run it without root.
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=strict
ProtectHome=read-only
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
LockPersonality=yes
ReadWritePaths={folder}
"""
_TIMER: Final = """\
[Unit]
Description=conspectus: {what}

[Timer]
OnCalendar={when} UTC
RandomizedDelaySec=15m
# A run that the machine slept through is made up for.
Persistent=true

[Install]
WantedBy=timers.target
"""
_CRON: Final = """\
# in the zone of the machine: every night at three, and each Sunday at five an audit, which hashes every file
0 3 * * *  {nightly}
0 5 * * 0  {weekly}
"""


def init(options: argparse.Namespace) -> int:
    """Write the missing files and list them. Raises ``UsageError`` if the folder is a file."""
    folder = Path(options.folder).resolve()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{options.folder}: expected a folder, found a file")
    if not is_utf8(str(folder)):
        raise UsageError(f"{in_one_line(str(folder))}: expected a path in UTF-8, as the files for systemd and cron are")
    for name, text in _files(folder, options.known).items():
        file = folder / name
        if file.exists():
            out(f"kept: {file}")
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        out(f"written: {file}")
    (folder / "raw").mkdir(exist_ok=True)
    if options.specimens:
        for dump in _copy_specimens(folder / "raw"):
            out(f"written: {dump}")
    if any(file.suffix != ".toml" for file in (folder / "raw").rglob("*.*")):
        out(f"next: conspectus refresh {_settings(folder).roots}")
    else:
        out(f"edit: {folder / 'sources.toml'}: give a contact")
        out(f"next: conspectus add URL {_settings(folder).roots}")
    return 0


def _files(folder: Path, known: Mapping[str, Source]) -> dict[str, str]:
    """Return the texts of the files by their names."""
    nightly, weekly = (
        f"{_program()} refresh {given} --quiet {_settings(folder).roots}" for given in ("--fetch", "--audit")
    )
    quoted = shlex.quote(str(folder))
    return {
        "sources.toml": comment_out(make_example(known)),
        "systemd/conspectus.service": _SERVICE.format(what="the nightly refresh", command=nightly, folder=quoted),
        "systemd/conspectus.timer": _TIMER.format(what="every night", when="*-*-* 03:00:00"),
        "systemd/conspectus-audit.service": _SERVICE.format(what="the weekly audit", command=weekly, folder=quoted),
        "systemd/conspectus-audit.timer": _TIMER.format(what="every week", when="Sun *-*-* 05:00:00"),
        "conspectus.cron": _CRON.format(nightly=nightly, weekly=weekly),
    }


def _settings(folder: Path) -> Settings:
    """Return the roots and the configuration of a folder."""
    return Settings(folder / "raw", folder / "out", config=folder / "sources.toml")


def _program() -> str:
    """Return the command that starts this program from any folder."""
    program = Path(sys.executable).with_name("conspectus")
    return shlex.quote(str(program)) if program.exists() else f"{shlex.quote(sys.executable)} -m pipeline"


def _copy_specimens(raw: Path) -> Iterator[Path]:
    """Copy the invented dumps with their sidecars; yield the files written."""
    for file in sorted(specimens().rglob("*")):
        copy = raw / file.relative_to(specimens())
        if file.is_file() and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
            yield copy


def specimens() -> Path:
    """Return the folder of the invented dumps: beside the modules of an installation, ``raw`` of a checkout."""
    packed = _ROOT / "specimens"
    return packed if packed.is_dir() else _ROOT.parent / "raw"
