"""How these pages treat strange lines and damage: a blank line above a text sets it off."""

from typing import Final

from tests.support.bounds import Bounds, Sentinel

BOUNDS: Final = Bounds(
    sentinels=(
        Sentinel("words", "zzqx sentinel 4711", "zzqx"),
        Sentinel("latin", "Lorem ipsum dolor sit amet", "ipsum"),
        Sentinel("title", "Small Ropes Hold Large Quays", "ropes", plausible=True),
        Sentinel("name", "Ada Quill", "quill", plausible=True),
    ),
    silent=0.0,
    held=0.15,  # talks below a line that may be a heading
    set_off=True,
)
