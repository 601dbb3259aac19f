"""``sources.toml``: its valid content, and that every mistake is reported with file and key."""

import os
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from parsers._contract import Source
from parsers._registry import sources
from parsers._web.web import Request, TargetError, Web, Window, check_address, follow_nothing
from pipeline.base.settings import UsageError
from pipeline.base.signals import GuardBook, Guards, Policy
from pipeline.config import Config, find_config, load_config, resolve_config
from pipeline.example import make_example
from pipeline.notify import Notify
from tests.conftest import ROOT
from tests.support.said import Said
from tests.support.toy import FAIR, NEWS


@dataclass(frozen=True, slots=True)
class Stall:
    """A target of the invented source."""

    url: str
    kinds: tuple[Literal["hay", "rye"], ...] = ("hay",)
    size: int = 1
    timezone: str | None = None
    year: int | None = None

    def __post_init__(self) -> None:
        """Check what a type cannot say."""
        check_address("url", self.url)
        if self.size < 1:
            raise TargetError("size", f"expected 1 or more, found {self.size}")


@dataclass(frozen=True, slots=True)
class Alarm:
    """Settings of an invented stage."""

    level: Literal["fail", "warn"] = "fail"
    limit: float = 0.5


def ask(target: Stall, _window: Window) -> Iterator[Request]:
    """Ask for the one page of a target."""
    yield Request("page", target.url, ".txt")


GOOD = '[[fair]]\nurl = "https://fair.example/"\n'
FETCHED = Web(Stall, ask, follow_nothing, lambda _: "", example=GOOD)
KNOWN = {"fair": replace(FAIR, web=FETCHED), "news": NEWS}

Load = Callable[[str], Config]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Return what loads a text as the file."""

    def load_text(text: str, known: dict[str, Source] = KNOWN) -> Config:
        (tmp_path / "sources.toml").write_text(text)
        return load_config(tmp_path / "sources.toml", known, {"alarm": Alarm}, {})

    return load_text


def complaints(load: Load, text: str) -> list[str]:
    """Return the lines of the error that a file gives."""
    with pytest.raises(UsageError) as error:
        load(text)
    return str(error.value).split("\n")


def test_a_full_file(load: Load, tmp_path: Path) -> None:
    """Targets are the source's own dataclass; what is not given has its default."""
    found = load(
        'contact = "ann@fair.example"\nuser_agent = "x/1"\n'
        '[[fair]]\nurl = "http://fair.example"\nkinds = ["rye", "hay"]\ntimezone = "Europe/Oslo"\nyear = 2026\n'
        '[[fair]]\nurl = "https://b.example/"\n[alarm]\nlevel = "warn"\nlimit = 1\n'
    )
    assert found == Config(
        tmp_path / "sources.toml",
        "ann@fair.example",
        "x/1",
        {"fair": (Stall("http://fair.example", ("rye", "hay"), 1, "Europe/Oslo", 2026), Stall("https://b.example/"))},
        {"alarm": Alarm("warn", 1.0)},
    )


def test_an_empty_file(load: Load) -> None:
    """Nothing is asked for, and nothing is wrong."""
    found = load("")
    assert (found.contact, found.targets, found.sections) == (None, {}, {"alarm": Alarm()})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[barn]]", "barn: expected one of contact, user_agent, fair, alarm"),
        ("[[fairs]]", "fairs: expected one of contact, user_agent, fair, alarm; did you mean fair?"),
        ("[[news]]", "news: expected one of contact, user_agent, fair, alarm"),
        ("contact = 3", "contact: expected an email address or the URL of a page, found 3"),
        ('contact = "Ann"', "contact: expected an email address or the URL of a page, found 'Ann'"),
        (
            'user_agent = "a\\nb"',
            "user_agent: expected ASCII text such as 'library-refresh/2.0', found 'a\\nb'",
        ),
        ("fair = 1", "fair: expected a valid array, found 1"),
        ("[fair]", "fair: expected a valid array, found {}"),
        ("[[fair]]", "fair[0].url: expected a value, found none"),
        (f"{GOOD}sice = 1", "fair[0].sice: unknown key; did you mean size?"),
        (f'{GOOD}size = "1"', "fair[0].size: expected a valid integer, found '1'"),
        (f"{GOOD}size = 2026-01-01", "fair[0].size: expected a valid integer, found '2026-01-01'"),
        (f"{GOOD}size = 0", "fair[0].size: expected 1 or more, found 0"),
        (f'{GOOD}kinds = ["rye", "oat"]', "fair[0].kinds[1]: expected 'hay' or 'rye', found 'oat'"),
        (f'{GOOD}{GOOD}timezone = "Oslo"', "fair[1].timezone = 'Oslo': expected an IANA name such as Europe/Berlin"),
        (f"{GOOD}year = 26", "fair[0].year = 26: expected four digits, 19xx or 20xx"),
        ('[alarm]\nlevel = "off"', "alarm.level: expected 'fail' or 'warn', found 'off'"),
        ("[alarm]\nlevl = 1", "alarm.levl: unknown key; did you mean level?"),
    ],
)
def test_a_mistake_names_its_key(load: Load, text: str, said: str) -> None:
    """One line: the file, the key, what was expected and what was found."""
    assert complaints(load, text) == [f"sources.toml: {said}"]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/list",
        "fair.example",
        "ftp://fair.example/",
        "file:///etc/hosts",
        "https://",
        "https://a b/",
        "http://[::1/",
        "http://x:y/",
        "https://fair.example:0/",
        "https://user@fair.example/",
    ],
)
def test_what_is_no_address(load: Load, url: str) -> None:
    """An address has a scheme of the web and a host, and neither user nor white space."""
    expected = f"expected a URL such as https://conference.example/program.html, found {url!r}"
    assert complaints(load, f'[[fair]]\nurl = "{url}"') == [f"sources.toml: fair[0].url: {expected}"]


def test_all_mistakes_are_told_at_once(load: Load) -> None:
    """A person mends a file once."""
    assert len(complaints(load, "contact = 1\nx = 2\n[[fair]]\nsize = true\n[alarm]\nlimit = []")) == 5


@pytest.mark.parametrize("text", ["contact = ", "\xff", "[[fair]"])
def test_what_is_no_toml(tmp_path: Path, text: str) -> None:
    """The file is named, and the line where the reader knows it."""
    (tmp_path / "x.toml").write_text(text, encoding="latin-1")
    with pytest.raises(UsageError, match=r"x\.toml: expected valid TOML: "):
        load_config(tmp_path / "x.toml", KNOWN)


ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "deep": (
        lambda file: file.write_bytes(b"contact = 'a'\nx = " + b"[" * 100_000),
        "expected TOML with plain keys and values, found it nested too deeply (at line 2)",
    ),
    "deep in lines": (
        lambda file: file.write_bytes(b"x = [1]\ny = " + b"[\n" * 5000),
        "expected TOML with plain keys and values, found it nested too deeply (at line 5001)",
    ),
    "dots": (
        lambda file: file.write_bytes(b"# ...\na" + b".a" * 200_000 + b" = 1"),
        "expected valid TOML: more than 50 dots in a key (at line 2)",
    ),
    "quoted dots": (
        lambda file: file.write_bytes(b'"a"' + b'."a"' * 51 + b" = 1"),
        "expected valid TOML: more than 50 dots in a key (at line 1)",
    ),
    "dots behind a text": (
        lambda file: file.write_bytes(b'a = ["""x\nit\'s""", {a' + b".a" * 200_000 + b" = 1}]"),
        "expected valid TOML: more than 50 dots in a key (at line 2)",
    ),
    "quotes": (
        lambda file: file.write_bytes(b'a = "' + b'\\".' * 200_000 + b"\x00"),
        "expected valid TOML: more than 50 dots in a key (at line 1)",
    ),
    "long number": (
        lambda file: file.write_bytes(b"contact = 0x" + b"f" * 50_000),
        "expected numbers of at most 64 bits, found a longer one",
    ),
    "no text": (
        lambda file: file.write_bytes(b"# a\n\n# caf\xe9"),
        "expected valid TOML: 'utf-8' codec can't decode byte 0xe9 in position 10: unexpected end of data (at line 3)",
    ),
    "huge": (lambda file: file.write_bytes(b"#" * ((1 << 20) + 1)), "expected at most 1 MiB, found more"),
    "fifo": (os.mkfifo, "expected a regular file, found a FIFO"),
    "folder": (Path.mkdir, "expected a regular file, found a folder"),
    "dangling": (
        lambda file: file.symlink_to("nothing"),
        "expected a readable configuration file: No such file or directory; "
        "tried: --config, CONSPECTUS_CONFIG, ./sources.toml",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_files_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Each ends at once with exit code 2, the file and, where there is one, the line."""
    monkeypatch.delenv("CONSPECTUS_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    make, message = ODD[name]
    make(tmp_path / "sources.toml")
    said = Said(capsys, "sources", "--check")
    assert (said.code, said.out, said.err) == (2, [], [f"conspectus: {tmp_path}/sources.toml: {message}"])


def test_many_dots_in_texts(load: Load) -> None:
    """Addresses may stand in one line."""
    urls = ", ".join(f'"https://{"a." * 9}example/{place}\\".x"' for place in range(20))
    assert complaints(load, f"contact = [{urls}]")[0].startswith("sources.toml: contact: expected an email address")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """The message says where else it could be named."""
    with pytest.raises(UsageError, match=r"none.toml: .*: No such file .* --config, CONSPECTUS_CONFIG, ./sources.toml"):
        load_config(tmp_path / "none.toml", KNOWN)


@pytest.mark.parametrize(
    ("given", "named", "found"), [("a", "b", "a"), (None, "b", "b"), (None, "", "sources.toml"), ("", "b", "b")]
)
def test_where_the_file_is_looked_for(given: str | None, named: str, found: str) -> None:
    """The option, then the environment, then the working directory."""
    assert resolve_config({"CONSPECTUS_CONFIG": named}, given) == Path(found).absolute()


def test_the_file_of_the_repository_is_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    """Out of the box nothing is fetched, and no key is set. Where it is not: ``sources --example > sources.toml``."""
    said = Said(capsys, "sources", "--example", known=sources())
    assert (said.code, said.out) == (0, (ROOT / "sources.toml").read_text(encoding="utf-8").splitlines())
    found = load_config(ROOT / "sources.toml", sources())
    assert (found.contact, found.user_agent, found.targets) == (None, None, {})


def test_the_example_is_valid(tmp_path: Path) -> None:
    """Without the comment signs it sets all there is to be set."""
    (tmp_path / "sources.toml").write_text(make_example(sources()), encoding="utf-8")
    found = load_config(tmp_path / "sources.toml", sources())
    assert (found.contact, found.user_agent) == ("library@university.example", "library-refresh/2.0")


def test_checking_pages_of_several_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The addresses of all files are listed, and the example is right; a mistake in them is one of the file."""
    file = tmp_path / "sources.toml"
    options = ("sources", "--check", "--config", file, "--raw", tmp_path / "raw")
    file.write_text(make_example(sources()), encoding="utf-8")
    good = Said(capsys, *options, known=sources())
    assert (good.code, "aclpub2[0]: https://proceedings.example/program.yml" in good.out) == (0, True)
    file.write_text('[[aclpub2]]\nurl = "https://proceedings.example/papers.yml"\n', encoding="utf-8")
    wrong = Said(capsys, *options, known=sources())
    expected = "aclpub2[0].urls: expected one file for program, named *program.yml or *program.yaml, found none"
    assert (wrong.code, f"sources.toml: {expected}" in "\n".join(wrong.err)) == (2, True)


@pytest.mark.parametrize("web", [None, replace(FETCHED, example="")])
def test_a_source_without_an_example(web: Web[Any] | None) -> None:
    """It has no part there; the others have theirs."""
    shown = make_example({"barn": replace(FAIR, web=web), "fair": replace(FAIR, web=FETCHED)})
    assert (shown.count("barn"), tomllib.loads(shown)["fair"]) == (0, [{"url": "https://fair.example/"}])


# The settings of the stages


def settings(load_from: Path, text: str) -> Config:
    """Load a text as the file, with the sections of the project."""
    (load_from / "sources.toml").write_text(text)
    return load_config(load_from / "sources.toml", KNOWN)


def test_guards_of_all_and_of_one(tmp_path: Path) -> None:
    """What holds for all holds for a source too, but for what it says otherwise."""
    found = settings(tmp_path, '[guards]\ndrop = "warn"\ndrop_limit = 0.5\n[guards.fair]\ndrop_limit = 0.7\n').guards
    assert (found.of("news"), found.of("fair")) == (
        Guards(drop=Policy.WARN, drop_limit=0.5),
        Guards(drop=Policy.WARN, drop_limit=0.7),
    )


def test_settings_that_are_not_given(tmp_path: Path) -> None:
    """They are the defaults."""
    found = settings(tmp_path, "")
    assert (found.guards, found.notify) == (GuardBook(), Notify())


def test_who_is_told(tmp_path: Path) -> None:
    """A command with its arguments, services, or both."""
    text = '[notify]\ncommand = ["mail", "ops"]\nurls = ["json://chat.example"]\nalways = true\n'
    assert settings(tmp_path, text).notify == Notify(("mail", "ops"), ("json://chat.example",), always=True)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[guards]\ndrop = "maybe"', "guards.drop: expected 'fail', 'look', 'warn' or 'off', found 'maybe'"),
        ("[guards]\ndrop_limit = 7", "guards: drop_limit = 7.0: expected a share from 0 to 1"),
        ("[guards]\nmood = 1", "guards.mood: unknown key"),
        ('[guards.fair]\nstale = "x"', "guards.fair.stale: expected 'fail', 'look', 'warn' or 'off', found 'x'"),
        ("[guards.barn]\nmood = 1", "guards.barn: unknown key"),
        ("[guards.fairs]\ndrop = 'off'", "guards.fairs: unknown key; did you mean fair?"),
        ("[guards]\ndrop_limt = 0.5", "guards.drop_limt: unknown key; did you mean drop_limit?"),
        ("guards = 3", "guards: expected an object, found 3"),
        (
            '[notify]\nurls = ["ops"]',
            "notify: urls[0]: expected the URL of a service, such as mailtos://user:password@host",
        ),
        ('[notify]\ncommand = "mail"', "notify.command: expected a valid array, found 'mail'"),
    ],
)
def test_a_mistake_in_settings_names_its_key(tmp_path: Path, text: str, complaint: str) -> None:
    """Once, with the table that it stands in."""
    with pytest.raises(UsageError) as error:
        settings(tmp_path, text)
    (told,) = str(error.value).split("\n")
    assert told.startswith(f"sources.toml: {complaint}")


def test_a_file_that_need_not_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody needs one; but one that is named must be there."""
    monkeypatch.chdir(tmp_path)
    assert find_config({}, KNOWN) is None
    with pytest.raises(UsageError, match=r"no\.toml: expected a readable configuration file"):
        find_config({"CONSPECTUS_CONFIG": "no.toml"}, KNOWN)


def test_the_file_of_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read where it is there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sources.toml").write_text('contact = "ann@fair.example"')
    found = find_config({}, KNOWN)
    assert found is not None
    assert found.contact == "ann@fair.example"
