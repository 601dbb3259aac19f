"""What these listings promise of strange lines: a program makes them, so that each line of an entry has its place."""

from typing import Final

from tests.support.bounds import Bounds, Sentinel

BOUNDS: Final = Bounds(
    sentinels=(
        Sentinel("words", "zzqx sentinel 4711", "zzqx"),
        Sentinel("signs", "%%% zzqx 0x4711 %%%", "zzqx"),
        Sentinel("latin", "Lorem ipsum dolor sit amet", "ipsum"),
        Sentinel("title", "Small Ropes Hold Large Quays", "ropes", plausible=True),
        Sentinel("name", "Ada Quill", "quill", plausible=True),
    ),
    silent=0.0,
)
