"""Labels of time zones: each stands for a zone with the offset that real pages print beside it."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from parsers._words.zones import ZONES, zone_of_label

NOON = datetime(2021, 8, 25, 12)
PRINTED = """\
(GMT-12:00) AoE (Anywhere On Earth)
(GMT-11:00) Midway Island, Samoa
(GMT-09:00) Hawaii-Aleutian
(GMT-10:00) Hawaii
(GMT-09:30) Marquesas Islands
(GMT-09:00) Gambier Islands
(GMT-08:00) Alaska
(GMT-07:00) Tijuana, Baja California
(GMT-08:00) Pitcairn Islands
(GMT-07:00) Pacific Time (US & Canada)
(GMT-06:00) Mountain Time (US & Canada)
(GMT-07:00) Arizona
(GMT-06:00) Saskatchewan, Central America
(GMT-05:00) Guadalajara, Mexico City, Monterrey
(GMT-06:00) Easter Island
(GMT-05:00) Central Time (US & Canada)
(GMT-04:00) Eastern Time (US & Canada)
(GMT-04:00) Cuba
(GMT-05:00) Bogota, Lima, Quito, Rio Branco
(GMT-04:00) Caracas
(GMT-04:00) Santiago
(GMT-04:00) La Paz
(GMT-03:00) Faukland Islands
(GMT-04:00) Manaus, Amazonas, Brazil
(GMT-03:00) Atlantic Time (Goose Bay)
(GMT-03:00) Atlantic Time (Canada)
(GMT-02:30) Newfoundland
(GMT-03:00) Montevideo
(GMT-02:00) Miquelon, St. Pierre
(GMT-02:00) Greenland
(GMT-03:00) Buenos Aires
(GMT-03:00) Brasilia, Distrito Federal, Brazil
(GMT-01:00) Cape Verde Is.
(GMT) Azores
(UTC) Coordinated Universal Time
(GMT+01:00) Belfast
(GMT+01:00) Dublin
(GMT+01:00) Lisbon
(GMT+01:00) London
(GMT) Monrovia, Reykjavik
(GMT+02:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna
(GMT+02:00) Belgrade, Bratislava, Budapest, Ljubljana, Prague
(GMT+02:00) Brussels, Copenhagen, Madrid, Paris
(GMT+01:00) West Central Africa
(GMT+02:00) Windhoek
(GMT+03:00) Athens
(GMT+03:00) Beirut
(GMT+02:00) Cairo
(GMT+03:00) Gaza
(GMT+02:00) Harare, Pretoria
(GMT+03:00) Jerusalem
(GMT+03:00) Minsk
(GMT+03:00) Syria
(GMT+03:00) Nairobi
(GMT+04:30) Tehran
(GMT+04:00) Abu Dhabi, Muscat
(GMT+04:00) Yerevan
(GMT+04:30) Kabul
(GMT+05:00) Ekaterinburg
(GMT+05:00) Tashkent
(GMT+05:30) Chennai, Kolkata, Mumbai, New Delhi
(GMT+05:45) Kathmandu
(GMT+07:00) Novosibirsk
(GMT+06:30) Yangon (Rangoon)
(GMT+07:00) Bangkok, Hanoi, Jakarta
(GMT+07:00) Krasnoyarsk
(GMT+08:00) Beijing, Chongqing, Hong Kong, Urumqi
(GMT+08:00) Perth
(GMT+08:45) Eucla
(GMT+09:00) Osaka, Sapporo, Tokyo
(GMT+09:00) Seoul
(GMT+09:00) Yakutsk
(GMT+09:30) Adelaide
(GMT+09:30) Darwin
(GMT+10:00) Brisbane
(GMT+10:00) Hobart
(GMT+10:00) Vladivostok
(GMT+10:30) Lord Howe Island
(GMT+11:00) Solomon Is., New Caledonia
(GMT+11:00) Magadan
(GMT+11:00) Norfolk Island
(GMT+12:00) Anadyr, Kamchatka
(GMT+12:00) Auckland, Wellington
(GMT+12:45) Chatham Islands
(GMT+13:00) Nuku'alofa
(GMT+14:00) Kiritimati
""".splitlines()
"""The menu of a programme on researchr, with the offsets of 25 August 2021."""


def offset(zone: str) -> str:
    """Return the offset of a zone at ``NOON`` as the menu prints it."""
    return f"{NOON.replace(tzinfo=ZoneInfo(zone)):%z}"


@pytest.mark.parametrize("label", PRINTED)
def test_a_label_means_a_zone_with_the_offset_beside_it(label: str) -> None:
    """The zone had the printed offset on that day; a label without an offset was at UTC."""
    printed = label[4:].partition(")")[0].replace(":", "") or "+0000"
    assert printed == offset(zone_of_label(label) or "")


def test_each_label_is_held_against_a_printed_one() -> None:
    """Every label of the table has a printed offset to compare with."""
    assert set(ZONES) == {label.partition(") ")[2] for label in PRINTED}


@pytest.mark.parametrize("label", ["CET", "UTC-04:00", "(GMT-03:00) UTC-3", "Astana, Dhaka", "(GMT)", ""])
def test_labels_that_mean_no_zone(label: str) -> None:
    """Offsets, abbreviations and places with several clocks stand for no zone."""
    assert zone_of_label(label) is None


@pytest.mark.parametrize(
    ("label", "zone"),
    [
        ("Eastern Time (US &Canada)", "America/New_York"),
        ("(UTC-5:00)eastern time (US and Canada)", None),
        ("osaka / sapporo / tokyo", "Asia/Tokyo"),
        ("(GMT+03:00)Athens", "Europe/Athens"),
    ],
)
def test_blanks_and_signs_do_not_count(label: str, zone: str | None) -> None:
    """A label is known by its letters and digits."""
    assert zone_of_label(label) == zone


def test_a_menu_of_the_page() -> None:
    """A page says itself what its own labels mean; what the table knows is not asked for there."""
    menu = {"(GMT-06:00) Chihuahua,  Mazatlan": "America/Mazatlan", "Athens": "Europe/Oslo"}
    assert [zone_of_label(label, menu) for label in ("Chihuahua Mazatlan", "Athens", "Thule")] == [
        "America/Mazatlan",
        "Europe/Athens",
        None,
    ]
