"""Notification of a red run: the command and the services get the summary, and their failures are reported."""

import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pipeline.notify import Notify, described, send

LINES = ["failed: fair/a.txt:1: not_this_source", "dataset: somewhere"]
TEXT = "conspectus: the refresh is red\nfailed: fair/a.txt:1: not_this_source\ndataset: somewhere"
KEEP = "import os, sys; open(sys.argv[1], 'w').write(os.environ['CONSPECTUS_STATUS'] + ' ' + sys.stdin.read())"


class Listener(HTTPServer):
    """A service of the test: keeps what it was sent, answers with ``code``."""

    code = 200

    def __init__(self) -> None:
        """Listen on a free port of this machine."""
        self.heard: list[dict[str, Any]] = []
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def address(self) -> str:
        """Where to post, as Apprise writes it."""
        return f"json://127.0.0.1:{self.server_port}/hook/secret"


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
    """Run a service while the test runs; no proxy stands between."""
    monkeypatch.setenv("NO_PROXY", "*")
    with Listener() as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def test_the_command_gets_the_summary(tmp_path: Path) -> None:
    """On its standard input, with the colour in the environment."""
    hooks = Notify(command=(sys.executable, "-c", KEEP, str(tmp_path / "told")))
    assert (send(hooks, good=False, lines=LINES), (tmp_path / "told").read_text()) == ([], f"red {TEXT}\n")


def test_a_service_gets_the_summary(listener: Listener) -> None:
    """With a title, and as a failure."""
    assert send(Notify(urls=(listener.address,)), good=False, lines=LINES) == []
    (heard,) = listener.heard
    title, _, text = TEXT.partition("\n")
    assert (heard["title"], heard["message"], heard["type"]) == (title, text, "failure")


def test_a_good_run_is_told_where_asked_for(listener: Listener) -> None:
    """Nobody is told of a green run, unless ``always`` is set."""
    send(Notify(urls=(listener.address,)), good=True, lines=LINES)
    send(Notify(urls=(listener.address,), always=True), good=True, lines=LINES)
    assert [message["type"] for message in listener.heard] == ["success"]


def test_a_hook_that_fails_is_told(listener: Listener, caplog: pytest.LogCaptureFixture) -> None:
    """With what it said; the address of a service, which is a secret, is not repeated. The others are told."""
    listener.code = 500
    program = "import sys; sys.stderr.write('first\\nno mail today\\n'); sys.exit(3)"
    hooks = Notify((sys.executable, "-c", program), ("nosuch://secret", listener.address))
    command, unknown, refused = send(hooks, good=False, lines=LINES)
    assert command == f"not notified: {sys.executable} exited with 3: no mail today"
    assert unknown == ("not notified: urls: expected the URL of a service that Apprise supports, found nosuch://")
    assert refused.startswith("not notified: JSON: ")
    assert "500" in refused
    assert "secret" not in refused + caplog.text


def test_who_is_told_is_named_without_secrets() -> None:
    """The command as it stands, services by their names."""
    hooks = Notify(("mail", "ops"), ("mailtos://user:secret@mail.example", "ntfys://chat.example/secret"))
    assert described(hooks) == ["mail ops", "E-Mail", "ntfy"]


def test_green_runs_do_not_wait_for_the_library() -> None:
    """It takes a fifth of a second to import."""
    program = "import sys; from pipeline.notify import *; send(Notify(urls=('json://x',)), good=True, lines=[])"
    script = f"{program}; sys.exit('apprise' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_command_that_is_not_there_is_told() -> None:
    """It costs the message, not the run."""
    (told,) = send(Notify(command=("/no/such/program",)), good=False, lines=LINES)
    assert told.startswith("not notified: /no/such/program: ")


def test_an_address_must_be_one() -> None:
    """Anything else is refused when the settings are read, and not shown."""
    with pytest.raises(ValueError, match=r"urls\[1\]: expected the URL of a service, such as \S+$"):
        Notify(urls=("json://here", "secret"))
