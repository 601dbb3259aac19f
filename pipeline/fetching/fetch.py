"""Fetches the pages that ``sources.toml`` names into the raw archive: targets, their requests, links to further pages.

Every failure becomes one line, here and in the log of its page, and stops nothing else. Making requests belongs to
``pipeline.fetching.polite``, keeping captures to ``pipeline.raw.archive``; each source defines its own requests.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from parsers._contract import Source
from parsers._ledger.document import DumpError, Facts
from parsers._web.web import Request, Web, Window, follow_nothing
from pipeline.base.known_files import KnownFiles
from pipeline.base.secret import masked, masked_name
from pipeline.base.settings import MEBIBYTE, Settings, UsageError
from pipeline.base.suggest import check_names
from pipeline.config import Config, load_config
from pipeline.fetching.addresses import AddressError, further_address, origin_of
from pipeline.fetching.companions import check_files
from pipeline.fetching.polite import Visitor
from pipeline.fetching.request import FetchError, Manners, Outside
from pipeline.publishing.captures import captures_of, doubted_paths, failed_paths
from pipeline.publishing.store import StoreError, latest_snapshot
from pipeline.raw.archive import (
    BELIEVED_FOR,
    Answer,
    Kept,
    conditions,
    conditions_beside,
    folder_of,
    is_same,
    keep,
    newest_capture,
    repair,
)
from pipeline.raw.capture_log import Attempt, FetchStatus, append, capture_times, pages_asked, stamp
from pipeline.raw.dump import describe
from pipeline.raw.load import load
from pipeline.reading.cache import load_known_files
from pipeline.reading.read import PARSER_DEFECTS

LOCK: Final = ".fetch.lock"
MOST_PAGES: Final = 500
"""Maximum number of pages per target: more is a mistake, ours or the site's."""

NOT_MODIFIED: Final = 304
_SKEW: Final = timedelta(hours=12)
"""How much earlier than a capture the clock may be: machines that share an archive differ a little."""

_PATIENCE: Final = 60.0
"""Seconds that somebody waits for, at a request or for another run."""
_LABELS: Final = {outcome: outcome.value.replace("_", " ") for outcome in FetchStatus}


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """The result of fetching one page, its address masked; ``error`` says why it failed."""

    source: str
    key: str
    url: str
    outcome: FetchStatus
    error: str | None = None

    @classmethod
    def of(cls, source: Source, request: Request, outcome: FetchStatus, error: str | None) -> "FetchedPage":
        """Return the result of a request, without its secrets."""
        key, told = masked_name(request.key), error and masked(error)
        return cls(source.name, key, masked(request.url), outcome, told)

    @property
    def failure(self) -> str:
        """The line on a failure: the source, the page if there is one, the reason."""
        return ": ".join(filter(None, (self.source, self.url or self.key, self.error)))


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of a fetch, page by page."""

    pages: tuple[FetchedPage, ...]

    @property
    def failures(self) -> list[str]:
        """One line for every page that failed."""
        return [page.failure for page in self.pages if page.error is not None]

    @property
    def good(self) -> bool:
        """True if nothing failed."""
        return not self.failures

    def lines(self) -> list[str]:
        """Return the report for a person: the failures, then the counts of each source."""
        counts = {source: Counter[FetchStatus]() for source in dict.fromkeys(page.source for page in self.pages)}
        for page in self.pages:
            counts[page.source][page.outcome] += 1
        return [f"failed: {failure}" for failure in self.failures] + [
            f"fetched: {source}, {', '.join(f'{label}: {count[outcome]}' for outcome, label in _LABELS.items())}"
            for source, count in counts.items()
        ]


def fetch(
    settings: Settings,
    config: Config,
    chosen: Sequence[Source],
    watch: Callable[[str], None] = lambda _: None,
    outside: Outside | None = None,
) -> Fetched:
    """Fetch the targets of the chosen sources; ``watch`` gets a short message for each step.

    Raises ``UsageError`` where the configuration has no contact.
    """
    asked = [source for source in chosen if config.targets.get(source.name)]
    if not asked:
        return Fetched(())
    outside = outside or Outside()

    def tell(step: str) -> None:
        watch(masked(step))

    visitor = Visitor(make_manners(settings, config), outside, tell)
    run = _Run(replace(settings, links=config.links), load_known_files(settings), visitor, outside, tell)
    try:
        return Fetched(tuple(page for source in asked for page in run.fetch(source, config.targets[source.name])))
    finally:
        visitor.close()


def ask(
    settings: Settings,
    config: Config,
    urls: Sequence[str],
    watch: Callable[[str], None],
    pause: float = 1.0,
) -> list[Answer]:
    """Request addresses, politely, while somebody waits. Raises ``UsageError`` without a contact, ``FetchError``.

    So it tries a second time only, and not if the site asks to come back in more than a minute.
    """
    manners = replace(make_manners(settings, config), attempts=2, patience=_PATIENCE)
    visitor = Visitor(manners, Outside(), lambda step: watch(masked(step)))
    answers = []
    try:
        for url in urls:
            watch(f"fetching {masked(url)}")
            try:
                answers.append(visitor.get(url, pause, {}))
            except FetchError as error:
                raise FetchError(f"{url}: {error}", passing=error.passing, status=error.status) from error
    finally:
        visitor.close()
    return answers


def keep_answer(
    settings: Settings, source: Source, request: Request, answers: Sequence[Answer], watch: Callable[[str], None]
) -> Kept:
    """Keep the answers for a page and its companions as a fetch does.

    Another run that is fetching is waited for, but for a minute at most. Raises ``OSError``, and ``ValueError`` for an
    invalid key or sidecar.
    """
    now, folder = Outside().now(), folder_of(settings.raw, source.name, request)
    with _alone(settings.raw / source.name, watch, _PATIENCE):
        repair(folder, now)
        outcome, kept = keep(folder, request, answers[0], now, answers[1:])
        append(folder, _entry(request, outcome, answers[0], kept, now))
    return kept


def load_targets(raw: Path, file: Path, known: Mapping[str, Source], names: Sequence[str]) -> Config:
    """Read what to fetch of the named sources, or all, into a raw root, whose tables name the files of dumps.

    Raises ``UsageError`` for mistakes in the file, for an unknown source, without a contact, and without targets.
    """
    check_names("no such source", names, known)
    config = load_config(file, known)
    wanted = sorted(set(names)) or [name for name in known if known[name].web is not None]
    if not any(config.targets.get(name) for name in wanted):
        raise UsageError(f"{file}: expected something to fetch for {', '.join(wanted)}, found nothing")
    check_contact(config)
    check_files(raw, config, known, wanted)
    return config


def fetch_named(
    settings: Settings,
    config: Config,
    known: Mapping[str, Source],
    names: Sequence[str],
    watch: Callable[[str], None] = lambda _: None,
) -> Fetched:
    """Fetch the named sources, or all; those without targets are skipped."""
    return fetch(settings, config, [known[name] for name in (sorted(set(names)) or known)], watch)


def make_manners(settings: Settings, config: Config) -> Manners:
    """Return the settings of polite requests. Raises ``UsageError`` where the file has no contact."""
    product = config.user_agent or f"conspectus/{version('conspectus')}"
    return Manners(product, check_contact(config), max_bytes=settings.max_bytes)


def check_contact(config: Config) -> str:
    """Return the contact. Raises ``UsageError`` where the file has none."""
    if config.contact is None:
        raise UsageError(
            f"{config.file.name}: contact: fetching requires an email address or the URL of a page, found none"
        )
    return config.contact


@dataclass(slots=True)
class _Run:
    """One fetch run; ``files`` knows the logs, ``seen`` has the request for each source and key.

    ``unsure`` are the captures of a source that the last refresh could not use or doubted: their pages are asked for
    whole, since the site may have the same mark for what it meant to send.
    """

    settings: Settings
    files: KnownFiles
    visitor: Visitor
    outside: Outside
    watch: Callable[[str], None]
    seen: dict[tuple[str, str], Request] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)

    def fetch(self, source: Source, targets: Sequence[Any]) -> Iterator[FetchedPage]:
        """Fetch the targets of a source, one after another."""
        if source.web is None:
            return
        raw, links = self.settings.raw, self.settings.links
        try:
            with _alone(raw / source.name, self.watch):
                failed, doubted = self._of_no_use(source.name)
                self.unsure = failed | doubted
                asked = pages_asked(raw, source.name, links, self.files)
                captured = capture_times(self.files, source.name, asked, failed, doubted)
                window = Window(self.outside.now().date(), captured, asked)
                if (problem := self._clock_problem(source, captured)) is not None:
                    yield self._report(problem)
                for target in targets:
                    for page in self._fetch_target(source, source.web, target, window):
                        yield self._report(page)
        except OSError as error:
            yield self._report(FetchedPage(source.name, "", "", FetchStatus.FAILED, f"{raw / source.name}: {error}"))

    def _of_no_use(self, source: str) -> tuple[set[str], set[str]]:
        """Return the captures that the last refresh could not use, and those that it doubted: their pages are due.

        If nothing readable is published, every capture counts as good.
        """
        try:
            captures = captures_of(latest_snapshot(self.settings.out), source)
        except StoreError:  # the refresh reports it and fails
            return set(), set()
        return failed_paths(captures), doubted_paths(captures)

    def _clock_problem(self, source: Source, captured: Mapping[str, datetime]) -> FetchedPage | None:
        """Return a failure if a page was captured later than it is now: the days in between are not asked for."""
        key, newest = max(captured.items(), key=lambda each: each[1], default=("", None))
        now = self.outside.now()
        if newest is None or newest <= now + _SKEW:
            return None
        error = f"captured at {stamp(newest)}, but the clock says {stamp(now)}: expected a clock that is right"
        return FetchedPage(source.name, key, "", FetchStatus.FAILED, error)

    def _report(self, page: FetchedPage) -> FetchedPage:
        """Report a failure to ``watch``, and return the page."""
        if page.error is not None:
            self.watch(f"failed: {page.failure}")
        return page

    def _fetch_target(self, source: Source, web: Web[Any], target: object, window: Window) -> Iterator[FetchedPage]:
        """Fetch the pages of a target, and those that they link to."""
        try:
            waiting = deque(web.requests(target, window))
        except PARSER_DEFECTS as error:
            reason = masked(f"no requests: {type(error).__name__}: {error}")
            yield FetchedPage(source.name, masked(repr(target)), "", FetchStatus.FAILED, reason)
            return
        count = 0
        while waiting:
            request = waiting.popleft()
            known = self.seen.get((source.name, request.key))
            if known is not None and (known.url, known.companions) == (request.url, request.companions):
                continue
            if known is not None:
                yield _failed(source, request, f"the folder {request.key} is already used by {known.url}")
                continue
            if count == MOST_PAGES:
                yield _failed(source, request, f"not fetched: one target leads to more than {MOST_PAGES} pages")
                return
            count += 1
            self.seen[source.name, request.key] = request
            self.watch(f"fetching {request.url}")
            page, kept, came_from = self._fetch_page(source, web, request)
            yield page
            if kept is not None and web.follow is not follow_nothing:
                further, problem = self._follow(web, target, request, kept, came_from)
                waiting.extend(further)
                if problem is not None:
                    yield _failed(source, request, f"the links of the page could not be read: {problem}")

    def _fetch_page(self, source: Source, web: Web[Any], request: Request) -> tuple[FetchedPage, Kept | None, str]:
        """Fetch one page and log it; return the result, the capture and the URL that the capture came from."""
        start, kept, came_from = self.outside.clock(), None, request.url
        try:
            folder = folder_of(self.settings.raw, source.name, request)
        except ValueError as error:
            return _failed(source, request, str(error)), None, came_from
        try:
            for done in repair(folder, self.outside.now()):
                self.watch(f"repaired: {source.name}/{request.key}: {done}")
            entry, kept, came_from = self._capture(folder, source, web, request)
        except FetchError as error:
            entry = self._failure(request, str(error), error.status)
        except (OSError, ValueError) as error:  # ValueError: an invalid sidecar
            entry = self._failure(request, f"could not be saved: {error}")
        try:
            append(folder, replace(entry, seconds=round(self.outside.clock() - start, 3)))
        except OSError as error:
            entry = self._failure(request, entry.error or f"could not be logged: {error}")
        return FetchedPage.of(source, request, entry.outcome, entry.error), kept, came_from

    def _capture(self, folder: Path, source: Source, web: Web[Any], request: Request) -> tuple[Attempt, Kept, str]:
        """Request a page and keep what came; return the log line, the capture and the URL that it came from.

        Raises ``FetchError``, and ``OSError`` or ``ValueError`` where it cannot be kept.
        """
        last = newest_capture(folder)
        day = source.asked(Facts(url=request.url)).day
        asked = {} if self._is_unsure(last) else conditions(folder, request, self.outside.now(), day)
        answer, *beside = self._ask(web, request, last, asked)
        outcome = FetchStatus.NOT_MODIFIED
        if answer.status == NOT_MODIFIED and last is not None:
            kept = last
            answer = replace(  # etag and date still hold if the answer does not repeat them
                answer,
                etag=answer.etag or asked.get("If-None-Match"),
                last_modified=answer.last_modified or asked.get("If-Modified-Since"),
            )
        else:
            outcome, kept = keep(folder, request, answer, self.outside.now(), beside)
        return _entry(request, outcome, answer, kept, self.outside.now()), kept, answer.url

    def _ask(self, web: Web[Any], request: Request, last: Kept | None, asked: Mapping[str, str]) -> list[Answer]:
        """Request a page and its companions; with conditions, only the first answer says that nothing has changed.

        If one of the files has changed, all are sent whole: what is kept together was got in one night, and no mark of
        a site is believed of files that go with a newer one. Raises ``FetchError``, naming the companion.
        """
        marks = [asked, *(conditions_beside(last, request) if last and asked else [{}] * len(request.companions))]
        answers = [self._get(web, request, index, each) for index, each in enumerate(marks)]
        confirmed = [index for index, answer in enumerate(answers) if answer.status == NOT_MODIFIED]
        if last is not None and confirmed and is_same(last, request, answers):
            return [replace(answers[0], status=NOT_MODIFIED)]
        for index in confirmed:
            answers[index] = self._get(web, request, index, {})
        if sum(len(answer.data) for answer in answers) > self.settings.max_bytes:
            most = f"{self.settings.max_bytes / MEBIBYTE:g} MiB"
            raise FetchError(f"expected at most {most} in a page with its companions, found more")
        return answers

    def _get(self, web: Web[Any], request: Request, index: int, asked: Mapping[str, str]) -> Answer:
        """Request a page, or one of its companions. Raises ``FetchError``, naming the companion."""
        if not index:
            return self.visitor.get(request.url, web.pause, asked)
        name, url = request.companions[index - 1]
        self.watch(f"fetching {url}")
        try:
            return self.visitor.get(url, web.pause, asked)
        except FetchError as error:
            told = f"its file {name}, {url}: {error}"
            raise FetchError(told, passing=error.passing, after=error.after, status=error.status) from error

    def _is_unsure(self, kept: Kept | None) -> bool:
        """True if a capture is none that a site should only confirm: it was rejected or doubted, and is not old."""
        if kept is None or self.outside.now() - kept.sidecar["captured_at"] >= BELIEVED_FOR:
            return False
        return kept.file.relative_to(self.settings.raw).as_posix() in self.unsure

    def _failure(self, request: Request, error: str, status: int | None = None) -> Attempt:
        """Return the log line of a failed attempt."""
        return Attempt(stamp(self.outside.now()), request.url, FetchStatus.FAILED, status, error=error)

    def _follow(
        self, web: Web[Any], target: object, request: Request, kept: Kept, came_from: str
    ) -> tuple[list[Request], str | None]:
        """Return the requests for pages that a page links to, all within its site; or an error.

        Their URLs have the requested host, not the one that it redirects to today: a page keeps its identity.
        """
        path = kept.file.relative_to(self.settings.raw).as_posix()
        try:
            dump = describe(path, kept.file)
            dump = replace(dump, facts=replace(dump.facts, url=request.url))  # its links lead on with their secrets
            document = load(dump, self.settings.max_bytes)
            further = list(web.follow(target, document, replace(request, url=came_from)))
            there, here = origin_of(came_from), origin_of(request.url)
            urls = [further_address(request.url, came_from, one.url) for one in further]
            return [
                replace(one, url=here + url.removeprefix(there) if origin_of(url) == there else url)
                for one, url in zip(further, urls, strict=True)
            ], None
        except (DumpError, AddressError) as error:
            return [], str(error)
        except PARSER_DEFECTS as error:
            return [], f"{type(error).__name__}: {error}"


@contextmanager
def _alone(folder: Path, watch: Callable[[str], None], patience: float = -1) -> Iterator[None]:
    """Lock the archive of a source; a second run reports that it waits, and waits.

    Raises ``TimeoutError`` after ``patience`` seconds, if that is not negative.
    """
    folder.mkdir(exist_ok=True)
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        watch(f"another run is fetching into {folder}; waiting for it to finish")
        lock.acquire(timeout=patience)
    try:
        yield
    finally:
        lock.release()


def _entry(request: Request, outcome: FetchStatus, answer: Answer, kept: Kept, now: datetime) -> Attempt:
    """Return the log line of an attempt that succeeded."""
    digest, name = kept.sidecar["sha256"], kept.file.name
    return Attempt(stamp(now), request.url, outcome, answer.status, answer.etag, answer.last_modified, digest, name)


def _failed(source: Source, request: Request, error: str) -> FetchedPage:
    """Return the result of a page that failed for a reason other than its request."""
    return FetchedPage.of(source, request, FetchStatus.FAILED, error)
