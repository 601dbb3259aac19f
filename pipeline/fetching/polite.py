"""Asks for one address as a good guest: says who asks, waits between requests, heeds ``robots.txt``, tries again later.

``Visitor.get`` is the only way out. What is asked for, and what becomes of the answer, do not belong here.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

import stamina
from protego import Protego

from pipeline.fetching.addresses import (
    AddressError,
    further_address,
    is_number,
    is_public,
    limited_as,
    origin_of,
    uses_proxy,
)
from pipeline.fetching.archive import Answer
from pipeline.fetching.request import PASSING, Caller, FetchError, Manners, Outside
from pipeline.settings import MEBIBYTE

_MAX_ROBOTS: Final = MEBIBYTE
_LONGEST_DELAY: Final = 60.0  # seconds


class Visitor:
    """Asks for addresses, one at a time; a run has one, so that it knows which site was asked when."""

    def __init__(self, manners: Manners, outside: Outside, watch: Callable[[str], None] = lambda _: None) -> None:
        """``watch`` is told of every attempt that is made again."""
        stamina.instrumentation.set_on_retry_hooks([])  # it would log every attempt in its own words
        self._manners = manners
        self._outside = outside
        self._watch = watch
        self._caller = Caller(manners, outside)
        self._free: dict[str, float] = {}
        self._failed: dict[str, int] = defaultdict(int)
        self._robots: dict[str, Protego | FetchError] = {}

    def close(self) -> None:
        """Close the connections."""
        self._caller.close()

    def get(self, url: str, pause: float, headers: Mapping[str, str]) -> Answer:
        """Ask for an address that somebody named. Raises ``FetchError``.

        At least ``pause`` seconds lie between two requests to a site. With conditions in ``headers`` the answer can be
        that nothing changed (status 304).
        """
        site = limited_as(url)
        if self._failed[site] >= self._manners.give_up:
            raise FetchError(f"not asked for: {site} failed {self._failed[site]} times in a row")
        try:
            answer = self._get(url, pause, headers, self._manners.max_bytes, heed=True)
        except FetchError as error:
            self._failed[site] = self._failed[site] + 1 if error.passing else 0
            raise
        self._failed[site] = 0
        return answer

    def _get(self, url: str, pause: float, headers: Mapping[str, str], max_bytes: int, *, heed: bool) -> Answer:
        """Ask for an address and follow where it leads within its site; ``heed`` says whether robots.txt counts."""
        named, seen = url, [url]
        trusted = not all(map(is_public, self._addresses(named)))
        while True:
            least = max(pause, self._heed_robots(url, pause)) if heed else pause
            answer, target = self._try(url, least, headers, max_bytes, trusted=trusted)
            if target is None:
                return answer
            try:
                url = further_address(named, url, target)
            except AddressError as error:
                raise FetchError(f"{answer.status}: {error}", status=answer.status) from error
            if url in seen:
                raise FetchError(f"redirects in a circle: {url}", status=answer.status)
            if len(seen) > self._manners.redirects:
                raise FetchError(f"redirects more than {self._manners.redirects} times", status=answer.status)
            if not trusted and not all(map(is_public, self._addresses(url))):
                raise FetchError(f"{answer.status}: leads to a private address: {url}", status=answer.status)
            seen.append(url)

    def _addresses(self, url: str) -> list[str]:
        """Return the numbers of a host; none where a proxy will look its name up."""
        host = urlsplit(url).hostname or ""
        return [] if uses_proxy(url) and not is_number(host) else self._outside.look_up(host)

    def _heed_robots(self, url: str, pause: float) -> float:
        """Return the pause that a site asks for. Raises ``FetchError`` where robots.txt forbids the address."""
        origin = origin_of(url)
        if origin not in self._robots:
            self._robots[origin] = self._read_robots(origin, pause)
        rules = self._robots[origin]
        if isinstance(rules, FetchError):
            raise FetchError(
                f"{origin}/robots.txt cannot be read, so that nothing may be asked for: {rules}", passing=True
            )
        if not rules.can_fetch(url, self._manners.product):
            raise FetchError(f"{origin}/robots.txt forbids it")
        return min(rules.crawl_delay(self._manners.product) or 0.0, _LONGEST_DELAY)

    def _read_robots(self, origin: str, pause: float) -> Protego | FetchError:
        """Read the rules of a site; where it says that it has none everything is allowed (RFC 9309)."""
        try:
            answer = self._get(f"{origin}/robots.txt", pause, {}, _MAX_ROBOTS, heed=False)
        except FetchError as error:
            none = error.status is not None and 400 <= error.status < 500 and error.status not in PASSING
            return Protego.parse("") if none else error
        return Protego.parse(answer.data.decode("utf-8", errors="replace"))

    def _try(
        self, url: str, pause: float, headers: Mapping[str, str], max_bytes: int, *, trusted: bool
    ) -> tuple[Answer, str | None]:
        """Ask for an address until it answers, so many times at most."""

        def again(error: Exception) -> bool:
            if not isinstance(error, FetchError) or not error.passing:
                return False
            if error.after is not None:
                self._set_free(url, error.after)
            return True

        waits = {"wait_initial": self._manners.backoff, "wait_max": self._manners.longest_backoff}
        retrying = stamina.retry_context(
            again, attempts=self._manners.attempts, timeout=None, wait_jitter=self._manners.backoff, **waits
        )
        for attempt in retrying:
            with attempt:
                if attempt.num > 1:
                    self._watch(f"asking again, {attempt.num} of {self._manners.attempts}: {url}")
                self._wait(url)
                try:
                    return self._caller.ask(url, headers, max_bytes, trusted=trusted)
                finally:
                    self._set_free(url, pause)
        raise AssertionError("a retry ends with an answer or an error")

    def _wait(self, url: str) -> None:
        """Wait until a site may be asked again."""
        seconds = self._free.get(limited_as(url), 0.0) - self._outside.clock()
        if seconds > 0:
            self._outside.sleep(seconds)

    def _set_free(self, url: str, seconds: float) -> None:
        """Leave a site alone for so many seconds."""
        site = limited_as(url)
        self._free[site] = max(self._free.get(site, 0.0), self._outside.clock() + seconds)
