"""Names of time zones as programmes print them: the labels of menus, such as ``Eastern Time (US & Canada)``.

CLDR does not have these labels. A label that names places whose clocks have differed since 2010 means no zone, nor does
an offset or an abbreviation. A test holds each label against the offset that real pages print beside it.
"""

import re
from collections.abc import Mapping
from typing import Final

_OFFSET: Final = re.compile(r"\((?:GMT|UTC)(?:[+-]\d{1,2}:\d{2})?\) ?", re.IGNORECASE)
_WORDS: Final = re.compile(r"\w+")


def _key(label: str) -> str:
    """Return the letters and digits of a label, without the offset before it."""
    return "".join(_WORDS.findall(_OFFSET.sub("", label, count=1))).casefold()


ZONES: Final = {
    "Abu Dhabi, Muscat": "Asia/Dubai",
    "Adelaide": "Australia/Adelaide",
    "Alaska": "America/Anchorage",
    "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna": "Europe/Amsterdam",
    "Anadyr, Kamchatka": "Asia/Anadyr",
    "AoE (Anywhere On Earth)": "Etc/GMT+12",
    "Arizona": "America/Phoenix",
    "Athens": "Europe/Athens",
    "Atlantic Time (Canada)": "America/Halifax",
    "Atlantic Time (Goose Bay)": "America/Goose_Bay",
    "Auckland, Wellington": "Pacific/Auckland",
    "Azores": "Atlantic/Azores",
    "Bangkok, Hanoi, Jakarta": "Asia/Bangkok",
    "Beijing, Chongqing, Hong Kong, Urumqi": "Asia/Hong_Kong",
    "Beirut": "Asia/Beirut",
    "Belfast": "Europe/London",
    "Belgrade, Bratislava, Budapest, Ljubljana, Prague": "Europe/Belgrade",
    "Bogota, Lima, Quito, Rio Branco": "America/Bogota",
    "Brasilia, Distrito Federal, Brazil": "America/Sao_Paulo",
    "Brisbane": "Australia/Brisbane",
    "Brussels, Copenhagen, Madrid, Paris": "Europe/Brussels",
    "Buenos Aires": "America/Argentina/Buenos_Aires",
    "Cairo": "Africa/Cairo",
    "Cape Verde Is.": "Atlantic/Cape_Verde",
    "Caracas": "America/Caracas",
    "Central Time (US & Canada)": "America/Chicago",
    "Chatham Islands": "Pacific/Chatham",
    "Chennai, Kolkata, Mumbai, New Delhi": "Asia/Kolkata",
    "Coordinated Universal Time": "UTC",
    "Cuba": "America/Havana",
    "Darwin": "Australia/Darwin",
    "Dublin": "Europe/Dublin",
    "Easter Island": "Pacific/Easter",
    "Eastern Time (US & Canada)": "America/New_York",
    "Ekaterinburg": "Asia/Yekaterinburg",
    "Eucla": "Australia/Eucla",
    "Faukland Islands": "Atlantic/Stanley",
    "Gambier Islands": "Pacific/Gambier",
    "Gaza": "Asia/Gaza",
    "Greenland": "America/Godthab",
    "Guadalajara, Mexico City, Monterrey": "America/Mexico_City",
    "Harare, Pretoria": "Africa/Johannesburg",
    "Hawaii": "Pacific/Honolulu",
    "Hawaii-Aleutian": "America/Adak",
    "Hobart": "Australia/Hobart",
    "Jerusalem": "Asia/Jerusalem",
    "Kabul": "Asia/Kabul",
    "Kathmandu": "Asia/Kathmandu",
    "Kiritimati": "Pacific/Kiritimati",
    "Krasnoyarsk": "Asia/Krasnoyarsk",
    "La Paz": "America/La_Paz",
    "Lisbon": "Europe/Lisbon",
    "London": "Europe/London",
    "Lord Howe Island": "Australia/Lord_Howe",
    "Magadan": "Asia/Magadan",
    "Manaus, Amazonas, Brazil": "America/Manaus",
    "Marquesas Islands": "Pacific/Marquesas",
    "Midway Island, Samoa": "Pacific/Midway",
    "Minsk": "Europe/Minsk",
    "Miquelon, St. Pierre": "America/Miquelon",
    "Monrovia, Reykjavik": "Africa/Monrovia",
    "Montevideo": "America/Montevideo",
    "Mountain Time (US & Canada)": "America/Denver",
    "Nairobi": "Africa/Nairobi",
    "Newfoundland": "America/St_Johns",
    "Norfolk Island": "Pacific/Norfolk",
    "Novosibirsk": "Asia/Novosibirsk",
    "Nuku'alofa": "Pacific/Tongatapu",
    "Osaka, Sapporo, Tokyo": "Asia/Tokyo",
    "Pacific Time (US & Canada)": "America/Los_Angeles",
    "Perth": "Australia/Perth",
    "Pitcairn Islands": "Pacific/Pitcairn",
    "Santiago": "America/Santiago",
    "Saskatchewan, Central America": "America/Regina",
    "Seoul": "Asia/Seoul",
    "Solomon Is., New Caledonia": "Pacific/Guadalcanal",
    "Syria": "Asia/Damascus",
    "Tashkent": "Asia/Tashkent",
    "Tehran": "Asia/Tehran",
    "Tijuana, Baja California": "America/Tijuana",
    "Vladivostok": "Asia/Vladivostok",
    "West Central Africa": "Africa/Lagos",
    "Windhoek": "Africa/Windhoek",
    "Yakutsk": "Asia/Yakutsk",
    "Yangon (Rangoon)": "Asia/Yangon",
    "Yerevan": "Asia/Yerevan",
}
"""IANA names by label."""


_KEYS: Final = {_key(label): zone for label, zone in ZONES.items()}


def zone_of_label(label: str, menu: Mapping[str, str] | None = None) -> str | None:
    """Return the IANA name that a label means, with or without an offset before it; None for any other text.

    ``menu`` has the names that a page itself gives for labels. Case, blanks and signs do not count.
    """
    key = _key(label)
    return _KEYS.get(key) or next((zone for text, zone in (menu or {}).items() if _key(text) == key), None)
