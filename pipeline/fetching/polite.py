"""Makes requests politely: with a contact, pauses between them, ``robots.txt`` obeyed, retries with backoff.

Every request goes through ``Visitor.get``. Choosing requests and keeping answers do not belong here.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

import stamina
from protego import Protego

from pipeline.base.settings import MEBIBYTE
from pipeline.fetching.addresses import (
    AddressError,
    further_address,
    is_number,
    is_public,
    limited_as,
    origin_of,
    uses_proxy,
)
from pipeline.fetching.request import PASSING, Caller, FetchError, Manners, Outside
from pipeline.raw.archive import Answer

_MAX_ROBOTS: Final = MEBIBYTE
_LONGEST_DELAY: Final = 60.0  # seconds


class Visitor:
    """Requests URLs, one at a time; a run has one visitor, which remembers when it requested each site."""

    def __init__(self, manners: Manners, outside: Outside, watch: Callable[[str], None] = lambda _: None) -> None:
        """``watch`` gets a message for every retry."""
        stamina.instrumentation.set_on_retry_hooks([])  # stamina would log every retry itself
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
        """Request a URL. Raises ``FetchError``.

        Requests to a site are at least ``pause`` seconds apart. With conditions in ``headers`` the answer can be that
        nothing has changed (status 304).
        """
        site = limited_as(url)
        if self._failed[site] >= self._manners.give_up:
            raise FetchError(f"not fetched: {site} failed {self._failed[site]} times in a row")
        try:
            answer = self._get(url, pause, headers, self._manners.max_bytes, heed=True)
        except FetchError as error:
            self._failed[site] = self._failed[site] + 1 if error.passing else 0
            raise
        self._failed[site] = 0
        return answer

    def _get(self, url: str, pause: float, headers: Mapping[str, str], max_bytes: int, *, heed: bool) -> Answer:
        """Request a URL and follow redirects within its site; with ``heed`` robots.txt is obeyed."""
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
                raise FetchError(f"redirect loop: {url}", status=answer.status)
            if len(seen) > self._manners.redirects:
                raise FetchError(f"more than {self._manners.redirects} redirects", status=answer.status)
            if not trusted and not all(map(is_public, self._addresses(url))):
                raise FetchError(f"{answer.status}: leads to a private address: {url}", status=answer.status)
            seen.append(url)

    def _addresses(self, url: str) -> list[str]:
        """Return the IP addresses of a URL's host; none if a proxy will look up its name."""
        host = urlsplit(url).hostname or ""
        return [] if uses_proxy(url) and not is_number(host) else self._outside.look_up(host)

    def _heed_robots(self, url: str, pause: float) -> float:
        """Return the crawl delay of robots.txt. Raises ``FetchError`` where it forbids the URL or cannot be read."""
        origin = origin_of(url)
        if origin not in self._robots:
            self._robots[origin] = self._fetch_robots(origin, pause)
        rules = self._robots[origin]
        if isinstance(rules, FetchError):
            raise FetchError(f"not fetched: {origin}/robots.txt cannot be read: {rules}", passing=True)
        if not rules.can_fetch(url, self._manners.product):
            raise FetchError(f"not allowed by {origin}/robots.txt")
        return min(rules.crawl_delay(self._manners.product) or 0.0, _LONGEST_DELAY)

    def _fetch_robots(self, origin: str, pause: float) -> Protego | FetchError:
        """Read the robots.txt of a site; if the site answers that it has none, everything is allowed (RFC 9309)."""
        try:
            answer = self._get(f"{origin}/robots.txt", pause, {}, _MAX_ROBOTS, heed=False)
        except FetchError as error:
            none = error.status is not None and 400 <= error.status < 500 and error.status not in PASSING
            return Protego.parse("") if none else error
        return Protego.parse(answer.data.decode("utf-8", errors="replace"))

    def _try(
        self, url: str, pause: float, headers: Mapping[str, str], max_bytes: int, *, trusted: bool
    ) -> tuple[Answer, str | None]:
        """Request a URL, with retries, up to the maximum number of attempts."""

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
                    self._watch(f"retrying, {attempt.num} of {self._manners.attempts}: {url}")
                self._wait(url)
                try:
                    return self._caller.ask(url, headers, max_bytes, trusted=trusted)
                finally:
                    self._set_free(url, pause)
        raise AssertionError("a retry ends with an answer or an error")

    def _wait(self, url: str) -> None:
        """Wait until a site may be requested again."""
        seconds = self._free.get(limited_as(url), 0.0) - self._outside.clock()
        if seconds > 0:
            self._outside.sleep(seconds)

    def _set_free(self, url: str, seconds: float) -> None:
        """Make no further request to a site for some seconds."""
        site = limited_as(url)
        self._free[site] = max(self._free.get(site, 0.0), self._outside.clock() + seconds)
