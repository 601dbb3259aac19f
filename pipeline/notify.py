"""Tells somebody of a run that turned red: a command, services such as mail or a chat, or both.

What the summary says belongs to ``pipeline.summary``. A hook that fails is told, and never changes how the run ended.
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

from pipeline.escape import in_one_line

if TYPE_CHECKING:
    from apprise import Apprise

PATIENCE: Final = 30.0
"""Seconds that a command may take: a run that ends late is worse than a message that does not arrive."""
_ADDRESS: Final = re.compile(r"(?P<service>[a-z][a-z0-9+.-]*)://\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Notify:
    """The section ``[notify]`` of ``sources.toml``.

    ``command`` is a program with its arguments, which gets the summary on its standard input. ``urls`` are addresses
    of services, as the library Apprise writes them (``mailtos://..``, ``slack://..``, ``ntfys://..``). ``always`` also
    tells of runs that are all good.
    """

    command: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    always: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no address, without showing it: it may hold a password. Raises ``ValueError``."""
        for place, url in enumerate(self.urls):
            if not _ADDRESS.fullmatch(url):
                raise ValueError(
                    f"urls[{place}]: expected the address of a service, such as mailtos://user:password@host"
                )


def send(hooks: Notify, *, good: bool, lines: Sequence[str], what: str = "refresh") -> list[str]:
    """Call the hooks where the run calls for it; return one message for each that failed."""
    if good and not hooks.always:
        return []
    status = "green" if good else "red"
    title, text = f"conspectus: the {what} is {status}", "\n".join(map(in_one_line, lines))
    problems = [_run(hooks.command, status, f"{title}\n{text}\n")] if hooks.command else []
    problems += [_post(url, title, text, good=good) for url in hooks.urls]
    return [problem for problem in problems if problem]


def described(hooks: Notify) -> list[str]:
    """Name whom the hooks tell, without addresses, which are secrets. Raises ``ValueError`` for a wrong one."""
    with _log_of_apprise():
        services = [str(_open(url)[0].service_name) for url in hooks.urls]
    return [*([" ".join(hooks.command)] if hooks.command else []), *services]


def _run(command: tuple[str, ...], status: str, text: str) -> str | None:
    """Run a command with the summary on its standard input; say what went wrong."""
    environment = {**os.environ, "CONSPECTUS_STATUS": status}
    try:
        # The command stands in the operator's own settings.
        done = subprocess.run(  # noqa: S603
            command, input=text, env=environment, timeout=PATIENCE, capture_output=True, text=True, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"not notified: {command[0]}: {error}"
    said = done.stderr.strip().splitlines()
    return (
        f"not notified: {command[0]} ended with {done.returncode}: {said[-1] if said else ''}"
        if done.returncode
        else None
    )


def _post(url: str, title: str, text: str, *, good: bool) -> str | None:
    """Send the summary to a service; say what went wrong, without the address."""
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
    """Return the service of an address, alone. Raises ``ValueError`` where it is no such address."""
    from apprise import Apprise  # noqa: PLC0415  # a fifth of a second that a green run need not wait for

    service = Apprise()
    if not service.add(url):
        name = url.partition("://")[0]
        raise ValueError(f"urls: expected the address of a service that Apprise knows, not this one of {name}://")
    return service


@contextmanager
def _log_of_apprise() -> Iterator[StringIO]:
    """Catch what the library warns of: it shows an address that it cannot read, password and all."""
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
