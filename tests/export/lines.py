"""A strict reading of iCalendar text, line by line, as RFC 5545 demands it; written for the tests alone.

It knows nothing of the libraries: octets of a line, line ends, folding, nesting, escapes, required properties, zones.
"""

import re
from collections import Counter
from typing import Any

LIMIT = 75
REQUIRED = {"VCALENDAR": {"PRODID", "VERSION"}, "VEVENT": {"UID", "DTSTAMP", "DTSTART"}, "VTIMEZONE": {"TZID"}}
REQUIRED |= {name: {"DTSTART", "TZOFFSETFROM", "TZOFFSETTO"} for name in ("STANDARD", "DAYLIGHT")}
ONCE = {"UID", "DTSTAMP", "DTSTART", "DTEND", "SEQUENCE", "STATUS", "SUMMARY", "LOCATION", "DESCRIPTION", "URL", "TZID"}
ONCE |= {"PRODID", "VERSION", "CALSCALE"}
PARENTS = {"VCALENDAR": None, "VEVENT": "VCALENDAR", "VTIMEZONE": "VCALENDAR"}
PARENTS |= {"STANDARD": "VTIMEZONE", "DAYLIGHT": "VTIMEZONE"}
TEXTS = {"SUMMARY", "LOCATION", "DESCRIPTION", "CATEGORIES", "NAME", "X-WR-CALNAME", "COMMENT", "TZNAME", "UID"}
LINE = re.compile(r"(?P<name>[A-Z0-9-]+)(?P<parameters>(?:;[A-Z0-9-]+=[^;:\",]+)*):(?P<value>.*)")
TEXT = re.compile(r"(?:[^\\;,\x00-\x08\x0b-\x1f\x7f]|\\[\\;,nN])*")
TIME = re.compile(r"\d{8}T\d{6}Z?")


def faults(calendar: bytes) -> list[str]:
    """Return every way in which a file breaks the rules; an empty list is a good calendar."""
    found = [*_faults_of_octets(calendar)]
    tree: list[tuple[str, Counter[str]]] = []
    defined, used, uids = set(), set(), Counter[str]()
    for line in unfold(calendar):
        match = LINE.fullmatch(line)
        if match is None:
            found.append(f"no content line: {line!r}")
            continue
        name, value = match["name"], match["value"]
        if name == "BEGIN":
            if PARENTS.get(value, "nothing") != (tree[-1][0] if tree else None):
                found.append(f"{value} out of place")
            tree.append((value, Counter()))
        elif name == "END":
            component, names = tree.pop() if tree else ("nothing", Counter())
            found += [f"{value} ends {component}"] * (value != component)
            found += [f"{component} without {missing}" for missing in REQUIRED.get(component, set()) - names.keys()]
            found += [f"{component} with {count} {each}" for each, count in names.items() if each in ONCE and count > 1]
        else:
            tree[-1][1][name] += 1
            found += _faults_of_value(name, match["parameters"], value)
            if name == "TZID":
                defined.add(value)
            used |= set(re.findall(r";TZID=([^;:]+)", match["parameters"]))
            uids.update([value] if name == "UID" else [])
    found += ["not closed"] * bool(tree)
    found += [f"zone {zone} is not defined" for zone in sorted(used - defined)]
    return found + [f"UID {uid} of {count} events" for uid, count in uids.items() if count > 1]


def unfold(calendar: bytes) -> list[str]:
    """Return the content lines, folds undone."""
    return calendar.decode().replace("\r\n ", "").removesuffix("\r\n").split("\r\n")


def events(calendar: str) -> list[dict[str, Any]]:
    """Return the properties of each event by name with its parameters, texts unescaped."""
    found: list[dict[str, Any]] = []
    for line in unfold(calendar.encode()):
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and name not in {"BEGIN", "END"}:
            found[-1].setdefault(name, unescape(value) if name in TEXTS else value)
    return found


def unescape(text: str) -> str:
    """Undo the escapes of a text."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nN" else found[1], text)


def _faults_of_octets(calendar: bytes) -> list[str]:
    """Check line ends, the length of lines in octets, and that no character is cut by a fold."""
    lines = calendar.split(b"\r\n")
    found = ["does not end with a line end"] * (lines.pop() != b"")
    for line in lines:
        found += [f"{len(line)} octets: {line!r}"] * (len(line) > LIMIT)
        found += [f"bare line end: {line!r}"] * (b"\n" in line or b"\r" in line)
        try:
            line.decode()
        except UnicodeDecodeError:
            found.append(f"a character is cut: {line!r}")
    return found


def _faults_of_value(name: str, parameters: str, value: str) -> list[str]:
    """Check the value of one property."""
    if name in TEXTS and not TEXT.fullmatch(value):
        return [f"{name} is not escaped: {value!r}"]
    if name in {"DTSTART", "DTEND", "DTSTAMP"} and not TIME.fullmatch(value):
        return [f"{name} is no time: {value!r}"]
    if name == "DTSTAMP" and not value.endswith("Z"):
        return [f"DTSTAMP is not in UTC: {value}"]
    if value.endswith("Z") and "TZID" in parameters:
        return [f"{name} in UTC with a zone"]
    if name == "STATUS" and value not in {"CONFIRMED", "CANCELLED"}:
        return [f"status {value}"]
    return [f"sequence {value}"] if name == "SEQUENCE" and not 0 <= int(value) < 2**31 else []
