"""Checks where a request may go: within the requested site, and to no private address unless it was requested.

The network is used for looking up names only.
"""

import ipaddress
import socket
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine, which are never requested through a proxy."""

_PORTS: Final = {"http": 80, "https": 443}
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""All public IPv6 addresses: outside lie other wrappers of IPv4, site-local addresses and what is not assigned."""

_EXAMPLES: Final = ipaddress.IPv6Network("3fff::/20")  # which ``ipaddress`` knows from Python 3.13 on


class AddressError(Exception):
    """An address must not be requested; the message says why."""


def look_up(host: str) -> list[str]:
    """Return the IP addresses of a host; none if it is unknown, which connecting will report."""
    try:
        return sorted({str(found[4][0]) for found in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)})
    except (OSError, UnicodeError):  # UnicodeError: a label that is empty or too long
        return []


def is_public(address: str) -> bool:
    """True if an IP address is public; of an IPv6 address that wraps an IPv4 one, the latter counts."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        wrapped = found.ipv4_mapped or found.sixtofour
        if wrapped is None and found in _NAT64:
            wrapped = ipaddress.IPv4Address(int(found) & 0xFFFF_FFFF)
        if wrapped is not None:
            return is_public(str(wrapped))
        if found not in _UNICAST or found in _EXAMPLES:
            return False
    return found.is_global and not found.is_multicast


def is_number(host: str) -> bool:
    """True if a host is given as an IP address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def uses_proxy(url: str) -> bool:
    """True if the environment sends requests for a URL through a proxy, which then looks up the name."""
    parts = urlsplit(url)
    host, proxies = parts.hostname or "", getproxies()
    local = host in {name.strip("[]") for name in LOOPBACK}
    return not local and bool(proxies.keys() & {parts.scheme, "all"}) and not proxy_bypass(host)


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL: the scope of one ``robots.txt``."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def limited_as(url: str) -> str:
    """Return the key for rate limits: the last two labels of a host, since one operator has many hosts."""
    host = urlsplit(url).hostname or ""
    return host if is_number(host) else ".".join(host.split(".")[-2:])


def further_address(start: str, url: str, target: str) -> str:
    """Return the absolute URL of ``target``, a link or redirect at ``url``; ``start`` is the URL requested first.

    Raises ``AddressError`` if it is not within the site of ``start``: its host, with or without ``www.``, or a
    subdomain, at the same port, not from https back to http.
    """
    try:
        found = urljoin(url, target).partition("#")[0]
        begun, parts = urlsplit(start), urlsplit(found)
        port, first = _port(parts), _port(begun)
    except ValueError as error:
        raise AddressError(f"leads to {target!r}, which is not a URL") from error
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        raise AddressError(f"leads to {found!r}, which is not a web page")
    if urlsplit(url).scheme == "https" and parts.scheme == "http":
        raise AddressError(f"leads from https to {found}")
    home = (begun.hostname or "").removeprefix("www.")
    within = parts.hostname == home or (parts.hostname.endswith(f".{home}") and not is_number(home))
    if not within or not (port == first or {port, first} <= set(_PORTS.values())):
        raise AddressError(f"leads to another site: {found}")
    return found


def _port(parts: SplitResult) -> int | None:
    """Return the port of a URL; by default that of its scheme."""
    return parts.port or _PORTS.get(parts.scheme)
