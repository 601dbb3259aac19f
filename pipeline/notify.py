"""Tells somebody of a run that turned red: a command, a webhook, or both, called with the summary.

What the summary says belongs to ``pipeline.summary``. A hook that fails is told, and never changes how the run ended.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pipeline.escape import in_one_line

PATIENCE: Final = 30.0
"""Seconds that a hook may take: a run that ends late is worse than a message that does not arrive."""


@dataclass(frozen=True, slots=True)
class Notify:
    """The section ``[notify]`` of ``sources.toml``.

    ``command`` is a program with its arguments, which gets the summary on its standard input. ``webhook`` is an address
    that gets it by POST, as JSON with ``text``, which chat services show, and ``status``. ``always`` also tells of runs
    that are all good.
    """

    command: tuple[str, ...] = ()
    webhook: str | None = None
    always: bool = False

    def __post_init__(self) -> None:
        """Refuse an address that is none. Raises ``ValueError``."""
        if self.webhook is not None and not self.webhook.startswith(("https://", "http://")):
            raise ValueError(f"webhook: expected an address that begins with https://, found {self.webhook!r}")


def send(hooks: Notify, *, good: bool, lines: Sequence[str], what: str = "refresh") -> list[str]:
    """Call the hooks where the run calls for it; return one message for each that failed."""
    if good and not hooks.always:
        return []
    status = "green" if good else "red"
    text = "\n".join([f"conspectus: the {what} is {status}", *map(in_one_line, lines)])
    problems = [_run(hooks.command, status, text)] if hooks.command else []
    problems += [_post(hooks.webhook, {"status": status, "text": text})] if hooks.webhook else []
    return [problem for problem in problems if problem]


def _run(command: tuple[str, ...], status: str, text: str) -> str | None:
    """Run a command with the summary on its standard input; say what went wrong."""
    environment = {**os.environ, "CONSPECTUS_STATUS": status}
    try:
        # The command stands in the operator's own settings.
        done = subprocess.run(  # noqa: S603
            command, input=text + "\n", env=environment, timeout=PATIENCE, capture_output=True, text=True, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"not notified: {command[0]}: {error}"
    said = done.stderr.strip().splitlines()
    return (
        f"not notified: {command[0]} ended with {done.returncode}: {said[-1] if said else ''}"
        if done.returncode
        else None
    )


def _post(address: str, message: dict[str, Any]) -> str | None:
    """Post the summary to an address; say what went wrong."""
    import httpx  # noqa: PLC0415  # a fifth of a second that a green run need not wait for

    try:
        httpx.post(address, json=message, timeout=PATIENCE).raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        # Without the address: it is the secret of most chat services.
        return f"not notified: webhook: {type(error).__name__}"
    return None
