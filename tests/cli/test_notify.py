"""Notification of a red run: the command and the services get the summary, and their failures are reported."""

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from pipeline.notify import Notify, described, send

LINES = ["failed: fair/a.txt:1: not_this_source", "dataset: somewhere"]
TEXT = (
    "conspectus: the refresh is red: fair: not_this_source\nfailed: fair/a.txt:1: not_this_source\ndataset: somewhere"
)
KEEP = "import os, sys; open(sys.argv[1], 'w').write(os.environ['CONSPECTUS_STATUS'] + ' ' + sys.stdin.read())"


@pytest.fixture
def service(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of a service that takes every message, as Apprise writes it; no proxy stands between."""
    monkeypatch.setenv("NO_PROXY", "*")
    httpserver.expect_request("/hook/secret", "POST").respond_with_data()
    return f"json://{httpserver.host}:{httpserver.port}/hook/secret"


def test_the_command_gets_the_summary(tmp_path: Path) -> None:
    """A command gets the summary on standard input and the colour in its environment."""
    hooks = Notify(command=(sys.executable, "-c", KEEP, str(tmp_path / "told")))
    assert (send(hooks, good=False, lines=LINES), (tmp_path / "told").read_text()) == ([], f"red {TEXT}\n")


def test_a_service_gets_the_summary(httpserver: HTTPServer, service: str) -> None:
    """The message has a title and is marked as a failure."""
    assert send(Notify(urls=(service,)), good=False, lines=LINES) == []
    ((request, _),) = httpserver.log
    title, _, text = TEXT.partition("\n")
    heard = request.get_json(force=True)
    assert (heard["title"], heard["message"], heard["type"]) == (title, text, "failure")


def test_a_good_run_is_told_where_asked_for(httpserver: HTTPServer, service: str) -> None:
    """Nobody is told of a green run, unless ``always`` is set."""
    send(Notify(urls=(service,)), good=True, lines=LINES)
    send(Notify(urls=(service,), always=True), good=True, lines=LINES)
    assert [request.get_json(force=True)["type"] for request, _ in httpserver.log] == ["success"]


def test_a_hook_that_fails_is_told(httpserver: HTTPServer, service: str, caplog: pytest.LogCaptureFixture) -> None:
    """Failures are reported without the secret address of a service."""
    httpserver.clear()
    program = "import sys; sys.stderr.write('first\\nno mail today\\n'); sys.exit(3)"
    hooks = Notify((sys.executable, "-c", program), ("nosuch://secret", service))
    command, unknown, refused = send(hooks, good=False, lines=LINES)
    assert command == f"not notified: {sys.executable} exited with 3: no mail today"
    assert unknown == ("not notified: urls: expected the URL of a service that Apprise supports, found nosuch://")
    assert refused.startswith("not notified: JSON: ")
    assert ("500" in refused, "secret" in refused) == (True, False)
    assert not any("secret" in record.getMessage() for record in caplog.records if record.name != "werkzeug")


def test_who_is_told_is_named_without_secrets() -> None:
    """Commands are shown in full, services by name only."""
    hooks = Notify(("mail", "ops"), ("mailtos://user:secret@mail.example", "ntfys://chat.example/secret"))
    assert described(hooks) == ["mail ops", "E-Mail", "ntfy"]


def test_green_runs_do_not_wait_for_the_library() -> None:
    """The library, which takes a fifth of a second to import, is not imported."""
    program = "import sys; from pipeline.notify import *; send(Notify(urls=('json://x',)), good=True, lines=[])"
    script = f"{program}; sys.exit('apprise' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_a_command_that_is_not_there_is_told() -> None:
    """A missing command is reported, and no error is raised."""
    (told,) = send(Notify(command=("/no/such/program",)), good=False, lines=LINES)
    assert told.startswith("not notified: /no/such/program: ")


def test_an_address_must_be_one() -> None:
    """What is no address is refused when the settings are read, and not shown."""
    with pytest.raises(ValueError, match=r"urls\[1\]: expected the URL of a service, such as \S+$"):
        Notify(urls=("json://here", "secret"))


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["red: fair: https://f.example/a: 404 Not Found"], "red: fair: 404 Not Found"),
        (["failed: a/b.txt: x", "red: fair: fair/b.txt:1: guard_lost: 9 of 9", "red: news: stopped"],
         "red: fair: guard_lost; news: stopped"),
        ([f"red: {name}: stopped" for name in "abcde"], "red: a: stopped; b: stopped; c: stopped; and 2 more"),
        (["failed: /data/out: could not write the snapshot"], "red: /data/out: could not write the snapshot"),
        (["red: barn/a.txt: unknown_source: expected"], "red: barn: unknown_source"),
    ],
)  # fmt: skip
def test_a_title_says_which_source_and_why(tmp_path: Path, lines: list[str], title: str) -> None:
    """A person who reads the title alone knows whether it can wait."""
    send(Notify(command=(sys.executable, "-c", KEEP, str(tmp_path / "told"))), good=False, lines=lines)
    assert (tmp_path / "told").read_text().partition("\n")[0] == f"red conspectus: the refresh is {title}"
