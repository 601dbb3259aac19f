"""Telling somebody of a red run: the command and the webhook get the summary, and a failure of theirs is told."""

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pipeline.notify import Notify, send

LINES = ["failed: fair/a.txt:1: not_this_source", "dataset: somewhere"]
TEXT = "conspectus: the refresh is red\nfailed: fair/a.txt:1: not_this_source\ndataset: somewhere"
KEEP = "import os, sys; open(sys.argv[1], 'w').write(os.environ['CONSPECTUS_STATUS'] + ' ' + sys.stdin.read())"


class Listener(HTTPServer):
    """A webhook of the test: keeps what it was sent, answers with ``code``."""

    code = 200

    def __init__(self) -> None:
        """Listen on a free port of this machine."""
        self.heard: list[dict[str, Any]] = []
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def address(self) -> str:
        """Where to post."""
        return f"http://127.0.0.1:{self.server_port}/hook/secret"


class Answer(BaseHTTPRequestHandler):
    """One request to the listener."""

    server: Listener

    def do_POST(self) -> None:  # the name that the library calls
        """Keep the message."""
        self.server.heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.server.code)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name that the library gives
        """Say nothing."""


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """Run a webhook while the test runs; no proxy stands between."""
    monkeypatch.setenv("NO_PROXY", "*")
    with Listener() as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def test_the_command_gets_the_summary(tmp_path: Path) -> None:
    """On its standard input, with the colour in the environment."""
    hooks = Notify(command=(sys.executable, "-c", KEEP, str(tmp_path / "told")))
    assert (send(hooks, good=False, lines=LINES), (tmp_path / "told").read_text()) == ([], f"red {TEXT}\n")


def test_the_webhook_gets_the_summary(listener: Listener) -> None:
    """As JSON, with the text under the key that chat services show."""
    assert send(Notify(webhook=listener.address), good=False, lines=LINES) == []
    assert listener.heard == [{"status": "red", "text": TEXT}]


def test_a_good_run_is_told_where_asked_for(listener: Listener) -> None:
    """Nobody is told of a green run, unless ``always`` is set."""
    send(Notify(webhook=listener.address), good=True, lines=LINES)
    send(Notify(webhook=listener.address, always=True), good=True, lines=LINES)
    assert [message["status"] for message in listener.heard] == ["green"]


def test_a_hook_that_fails_is_told(listener: Listener) -> None:
    """With what it said last; the address of a webhook, which is a secret, is not repeated."""
    listener.code = 500
    program = "import sys; sys.stderr.write('first\\nno mail today\\n'); sys.exit(3)"
    hooks = Notify(command=(sys.executable, "-c", program), webhook=listener.address)
    assert send(hooks, good=False, lines=LINES) == [
        f"not notified: {sys.executable} ended with 3: no mail today",
        "not notified: webhook: HTTPStatusError",
    ]


def test_a_command_that_is_not_there_is_told() -> None:
    """It costs the message, not the run."""
    (told,) = send(Notify(command=("/no/such/program",)), good=False, lines=LINES)
    assert told.startswith("not notified: /no/such/program: ")


def test_a_webhook_must_be_an_address() -> None:
    """Anything else is refused when the settings are read."""
    with pytest.raises(
        ValueError, match=r"webhook: expected an address that begins with https://, found 'ops@example'"
    ):
        Notify(webhook="ops@example")
