"""Reports red runs by a command, by services such as mail or chat, or both.

The text comes from ``pipeline.run.summary``. A hook that fails is reported and never changes the exit code.
"""

import logging
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Final

from pipeline.base.escape import in_one_line

if TYPE_CHECKING:
    from apprise import Apprise

_MOST: Final = 3
_LONGEST: Final = 80
"""Sources that a title names, and characters for each."""

PATIENCE: Final = 30.0
"""Maximum seconds for a command: a run that ends late is worse than a lost message."""
_ADDRESS: Final = re.compile(r"(?P<service>[a-z][a-z0-9+.-]*)://\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Notify:
    """The section ``[notify]`` of ``sources.toml``.

    ``command`` is a program with its arguments, which gets the summary on standard input. ``urls`` are addresses of
    services as Apprise writes them (``mailtos://..``, ``slack://..``, ``ntfys://..``). With ``always``, good runs are
    reported too, with ``attention`` those of them that a person should look at.
    """

    command: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    always: bool = False
    attention: bool = False

    def __post_init__(self) -> None:
        """Check the addresses. Raises ``ValueError`` without showing the address, which may contain a password."""
        for place, url in enumerate(self.urls):
            if not _ADDRESS.fullmatch(url):
                raise ValueError(f"urls[{place}]: expected the URL of a service, such as mailtos://user:password@host")


def send(hooks: Notify, *, good: bool, lines: Sequence[str], amber: bool = False, what: str = "refresh") -> list[str]:
    """Call the hooks after a red run and those that the settings ask for; return one message for each that failed."""
    if good and not hooks.always and not (amber and hooks.attention):
        return []
    status = ("amber" if amber else "green") if good else "red"
    title = in_one_line(f"conspectus: the {what} is {status}{_causes(lines)}")
    text = "\n".join(map(in_one_line, lines))
    problems = [_run(hooks.command, status, f"{title}\n{text}\n")] if hooks.command else []
    problems += [_post(url, title, text, good=good) for url in hooks.urls]
    return [problem for problem in problems if problem]


def _causes(lines: Sequence[str]) -> str:
    """Return which sources are red, else amber, and why, for a title; empty for a green run."""
    found: dict[str, str] = {}
    for sign in ("red: ", "failed: ", "attention: "):
        for line in lines if not found else ():
            place, *parts = line.removeprefix(sign).split(": ")
            if line.startswith(sign):
                why = next((part for part in parts if "/" not in part), "")
                source = place if place.startswith("/") else place.split("/")[0]
                found.setdefault(source, f"{source}: {why}"[:_LONGEST] if why else source[:_LONGEST])
    more = [f"and {len(found) - _MOST} more"] if len(found) > _MOST else []
    return "".join([": ", "; ".join([*list(found.values())[:_MOST], *more])]) if found else ""


def described(hooks: Notify) -> list[str]:
    """Return the command and the service names; addresses are secret. Raises ``ValueError`` for an invalid one."""
    with _log_of_apprise():
        services = [str(_open(url)[0].service_name) for url in hooks.urls]
    return [*([" ".join(hooks.command)] if hooks.command else []), *services]


def _run(command: tuple[str, ...], status: str, text: str) -> str | None:
    """Run a command with the summary on standard input; return a message if it fails."""
    environment = {**os.environ, "CONSPECTUS_STATUS": status}
    try:
        # The command comes from the operator's own settings.
        done = subprocess.run(  # noqa: S603
            command, input=text, env=environment, timeout=PATIENCE, capture_output=True, text=True, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"not notified: {command[0]}: {error}"
    said = done.stderr.strip().splitlines()
    return (
        f"not notified: {command[0]} exited with {done.returncode}: {said[-1] if said else ''}"
        if done.returncode
        else None
    )


def _post(url: str, title: str, text: str, *, good: bool) -> str | None:
    """Send the summary to a service; return a message, without the address, if that fails."""
    with _log_of_apprise() as log:
        try:
            service = _open(url)
        except ValueError as error:
            return f"not notified: {error}"
        from apprise import NotifyFormat, NotifyType  # noqa: PLC0415  # as below

        kind = NotifyType.SUCCESS if good else NotifyType.FAILURE
        done = service.notify(text, title, notify_type=kind, body_format=NotifyFormat.TEXT)
    said = log.getvalue().splitlines() or ["the message was refused"]
    return None if done else f"not notified: {service[0].service_name}: {said[0]}"


def _open(url: str) -> "Apprise":
    """Return the service of one address. Raises ``ValueError`` if Apprise does not know it."""
    from apprise import Apprise  # noqa: PLC0415  # takes a fifth of a second, which green runs need not wait for

    service = Apprise()
    if not service.add(url):
        name = url.partition("://")[0]
        raise ValueError(f"urls: expected the URL of a service that Apprise supports, found {name}://")
    return service


@contextmanager
def _log_of_apprise() -> Iterator[StringIO]:
    """Capture the library's warnings, which would show an invalid address with its password."""
    logger, said = logging.getLogger("apprise"), StringIO()
    handler = logging.StreamHandler(said)
    handler.setLevel(logging.WARNING)
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    try:
        yield said
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates
