"""Where a request may go: within the site that was named, and to no private address that nobody named.

Nothing is asked of the network here but names.
"""

import ipaddress
import socket
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
"""Hosts of this machine, which no proxy reaches."""

_PORTS: Final = {"http": 80, "https": 443}
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


class AddressError(Exception):
    """An address is not one that may be asked; the message says why."""


def look_up(host: str) -> list[str]:
    """Return the numeric addresses of a host; none where it is unknown, which connecting will tell."""
    try:
        return sorted({str(found[4][0]) for found in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)})
    except (OSError, UnicodeError):  # UnicodeError: a label that is empty or too long
        return []


def is_public(address: str) -> bool:
    """True if a numeric address is one of the whole internet, also where it wraps another one."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        wrapped = found.ipv4_mapped or found.sixtofour
        if wrapped is None and found in _NAT64:
            wrapped = ipaddress.IPv4Address(int(found) & 0xFFFF_FFFF)
        if wrapped is not None:
            return is_public(str(wrapped))
    return found.is_global and not found.is_multicast


def is_number(host: str) -> bool:
    """True if a host is given by its number."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def uses_proxy(url: str) -> bool:
    """True if the environment sends requests for an address through a proxy, which then looks the name up."""
    parts = urlsplit(url)
    host, proxies = parts.hostname or "", getproxies()
    local = host in {name.strip("[]") for name in LOOPBACK}
    return not local and bool(proxies.keys() & {parts.scheme, "all"}) and not proxy_bypass(host)


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address: what one ``robots.txt`` speaks for."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def limited_as(url: str) -> str:
    """Return what is asked politely as one: the last two labels of a host, since one operator has many hosts."""
    host = urlsplit(url).hostname or ""
    return host if is_number(host) else ".".join(host.split(".")[-2:])


def further_address(start: str, url: str, target: str) -> str:
    """Return the address to which a page leads that came from ``url``, having been asked for as ``start``.

    Raises ``AddressError`` where that is not within the site of ``start``: its host, with or without ``www.``, or one
    below it, at the same port, not from https back to http.
    """
    try:
        found = urljoin(url, target).partition("#")[0]
        begun, parts = urlsplit(start), urlsplit(found)
        port, first = _port(parts), _port(begun)
    except ValueError as error:
        raise AddressError(f"leads to {target!r}, which is no address") from error
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        raise AddressError(f"leads to {found!r}, which is no page")
    if urlsplit(url).scheme == "https" and parts.scheme == "http":
        raise AddressError(f"leads from https to {found}")
    home = (begun.hostname or "").removeprefix("www.")
    within = parts.hostname == home or (parts.hostname.endswith(f".{home}") and not is_number(home))
    if not within or not (port == first or {port, first} <= set(_PORTS.values())):
        raise AddressError(f"leads to another site: {found}")
    return found


def _port(parts: SplitResult) -> int | None:
    """Return the port of an address, that of its scheme where it names none."""
    return parts.port or _PORTS.get(parts.scheme)
