"""Makes one request over the network, with limits on the total time, the bytes, and the addresses that may answer.

Every failure is a ``FetchError``. Pauses and retries belong to ``pipeline.fetching.polite``.
"""

import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx

from pipeline.base.secret import masked
from pipeline.base.settings import MAX_BYTES, MEBIBYTE
from pipeline.fetching.addresses import LOOPBACK, is_public, look_up, uses_proxy
from pipeline.raw.archive import Answer

PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Status codes of temporary failures."""

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})

_ENCODING: Final = "gzip"

_STEP: Final = 64 * 1024
_GZIP: Final = 16 + zlib.MAX_WBITS


class FetchError(Exception):
    """A request gave nothing that can be kept.

    ``passing`` is True if a retry may succeed, ``after`` is the number of seconds that the site asks to wait first,
    ``status`` is the status code, if the site answered.
    """

    def __init__(
        self, message: str, *, passing: bool = False, after: float | None = None, status: int | None = None
    ) -> None:
        """Store the facts for a retry, and the message in one line, whatever the site sent, without secrets."""
        super().__init__(masked(" ".join(message.split())))
        self.passing = passing
        self.after = after
        self.status = status


class _BodyError(FetchError):
    """The body of an answer cannot be used."""


@dataclass(frozen=True, slots=True)
class Manners:
    """Settings of polite requests; times in seconds.

    ``product`` and ``contact`` identify the client. ``deadline`` is for one answer as a whole; ``patience`` is the
    longest accepted Retry-After. After ``give_up`` temporary failures in a row a site is not requested again.
    """

    product: str
    contact: str
    max_bytes: int = MAX_BYTES
    attempts: int = 4
    backoff: float = 2.0
    longest_backoff: float = 60.0
    connecting: float = 15.0
    reading: float = 30.0
    deadline: float = 120.0
    patience: float = 300.0
    redirects: int = 5
    give_up: int = 3


@dataclass(frozen=True, slots=True)
class Outside:
    """The clocks and the network that a run uses; tests pass their own."""

    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    look_up: Callable[[str], list[str]] = look_up
    transport: httpx.BaseTransport | None = None


class Caller:
    """Makes requests one after another, over connections that stay open."""

    def __init__(self, manners: Manners, outside: Outside) -> None:
        """Create the client; nothing is sent yet."""
        self._manners = manners
        self._outside = outside
        self._sockets: list[socket.socket] = []
        self._client = httpx.Client(
            headers={
                "User-Agent": f"{manners.product} (+{manners.contact})",
                "Accept": "*/*",
                "Accept-Encoding": _ENCODING,
            },
            timeout=httpx.Timeout(manners.reading, connect=manners.connecting),
            transport=outside.transport,
            mounts={f"all://{host}": None for host in LOOPBACK} if outside.transport is None else None,
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, url: str, headers: Mapping[str, str], max_bytes: int, *, trusted: bool) -> tuple[Answer, str | None]:
        """Return the answer of a URL, and the redirect target if there is one. Raises ``FetchError``.

        With ``trusted`` a private address may answer.
        """
        with self._deadline() as late:
            try:
                with self._client.stream(
                    "GET", url, headers=dict(headers), extensions={"trace": self._note_socket}
                ) as response:
                    if not trusted:
                        self._check_peer(url, response)
                    found = self._receive(url, response, max_bytes, conditional=bool(headers))
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                if not late.is_set():
                    passing = not isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol)
                    raise FetchError(self._explain(error), passing=passing) from error
            except _BodyError:
                if not late.is_set():
                    raise
            finally:
                self._client.cookies.clear()  # requests share no state
            if late.is_set():  # even if the connection seems to have ended normally
                raise FetchError(f"took more than {self._manners.deadline:g} s")
        return found

    def _receive(
        self, url: str, response: httpx.Response, max_bytes: int, *, conditional: bool
    ) -> tuple[Answer, str | None]:
        """Read an answer according to its status. Raises ``FetchError`` for an error status."""
        status, headers = response.status_code, response.headers
        answer = Answer(
            url,
            status,
            _receive_body(response, max_bytes) if status == httpx.codes.OK else b"",
            headers.get("etag"),
            headers.get("last-modified"),
            headers.get("content-type"),
        )
        if status == httpx.codes.OK or (status == httpx.codes.NOT_MODIFIED and conditional):
            return answer, None
        if status in _REDIRECTS and headers.get("location"):
            return answer, headers["location"]
        after = self._retry_after(headers.get("retry-after"))
        problem = f"{status} {response.reason_phrase}".strip()
        if after is not None and after > self._manners.patience:
            raise FetchError(f"{problem}: the site asks to wait {after:.0f} s", status=status)
        raise FetchError(problem, passing=status in PASSING, after=after, status=status)

    def _retry_after(self, value: str | None) -> float | None:
        """Return the seconds to wait from a Retry-After header, a number or a date; None without a valid one."""
        if value is None:
            return None
        if value.isascii() and value.strip().isdigit():
            return float(value[:12])
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        return max(0.0, (moment - self._outside.now()).total_seconds())

    def _check_peer(self, url: str, response: httpx.Response) -> None:
        """Raise ``FetchError`` where a private address answers for a name that was looked up as a public one."""
        stream = response.extensions.get("network_stream")
        peer = stream.get_extra_info("server_addr") if stream is not None else None
        if peer is not None and not uses_proxy(url) and not is_public(str(peer[0])):
            raise FetchError(f"answered from a private address: {peer[0]}")

    def _explain(self, error: Exception) -> str:
        """Return the message for an error of the client library."""
        if isinstance(error, httpx.ConnectTimeout):
            return f"no connection within {self._manners.connecting:g} s"
        if isinstance(error, httpx.TimeoutException):
            return f"no data for {self._manners.reading:g} s"
        return f"{type(error).__name__}: {error}"

    def _note_socket(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember the sockets of new connections, plain ones and those below TLS, so that they can be shut down."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            open_ones = [known for known in self._sockets if known.fileno() != -1]
            self._sockets = [*open_ones, info["return_value"].get_extra_info("socket")]

    @contextmanager
    def _deadline(self) -> Iterator[threading.Event]:
        """Shut down the connections when the deadline of an answer passes: a site can send single bytes forever."""
        late = threading.Event()

        def cut() -> None:
            late.set()
            for known in self._sockets:
                with suppress(OSError):
                    socket.socket.shutdown(known, socket.SHUT_RDWR)

        timer = threading.Timer(self._manners.deadline, cut)
        timer.daemon = True
        timer.start()
        try:
            yield late
        finally:
            timer.cancel()


def _receive_body(response: httpx.Response, max_bytes: int) -> bytes:
    """Read the body of a streamed answer, whole or not at all.

    Only gzip is accepted, and unpacked here in small steps: the client library would unpack a network read at once, and
    would not report truncated data. Raises ``_BodyError``, and the client library's error where the connection ends
    before the declared length.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"identity", "", _ENCODING, f"x-{_ENCODING}"}:
        raise _BodyError(
            f"expected a body compressed with {_ENCODING} or uncompressed, found {encoding}", passing=False
        )
    declared = response.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > max_bytes:
        raise _too_large(max_bytes)
    unpack = _Gunzip(max_bytes) if encoding.endswith(_ENCODING) else _Plain(max_bytes)
    for piece in response.iter_raw(_STEP):
        unpack.take(piece)
    return unpack.finish()


class _Plain:
    """Collects an unpacked body."""

    def __init__(self, max_bytes: int) -> None:
        """Set the cap on the body."""
        self._max_bytes = max_bytes
        self._pieces: list[bytes] = []
        self._size = 0

    def take(self, piece: bytes) -> None:
        """Add a piece. Raises ``_BodyError`` beyond the cap."""
        self._size += len(piece)
        if self._size > self._max_bytes:
            raise _too_large(self._max_bytes)
        self._pieces.append(piece)

    def finish(self) -> bytes:
        """Return the whole body."""
        return b"".join(self._pieces)


class _Gunzip(_Plain):
    """Unpacks and collects a body, which may have several packed parts."""

    def __init__(self, max_bytes: int) -> None:
        """Set the cap on the unpacked body."""
        super().__init__(max_bytes)
        self._part = zlib.decompressobj(_GZIP)
        self._begun = False

    def take(self, piece: bytes) -> None:
        """Unpack a piece. Raises ``_BodyError`` beyond the cap, and for data that is not gzip."""
        while piece:
            if self._part.eof:
                if not piece.strip(b"\0"):  # some writers pad
                    return
                self._part = zlib.decompressobj(_GZIP)
            self._begun = True
            try:
                super().take(self._part.decompress(piece, self._max_bytes - self._size + 1))
            except zlib.error as error:
                raise _BodyError(f"expected a body compressed with {_ENCODING}: {error}", passing=True) from error
            piece = self._part.unconsumed_tail or self._part.unused_data

    def finish(self) -> bytes:
        """Return the whole body. Raises ``_BodyError`` if it is truncated."""
        if self._begun and not self._part.eof:
            raise _BodyError("the compressed body is truncated", passing=True)
        return super().finish()


def _too_large(max_bytes: int) -> _BodyError:
    """Return the error for a body beyond the cap."""
    return _BodyError(f"expected at most {max_bytes / MEBIBYTE:g} MiB, found more", passing=False)
