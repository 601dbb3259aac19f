"""What these pages promise of strange lines and of damage: they are edited by hand, so many a line could be a title."""

from typing import Final

from tests.support.bounds import Bounds, Sentinel

BOUNDS: Final = Bounds(
    sentinels=(
        Sentinel("words", "zzqx sentinel 4711", "zzqx"),
        Sentinel("latin", "Lorem ipsum dolor sit amet", "ipsum"),
        Sentinel("title", "Small Ropes Hold Large Quays", "ropes", plausible=True),
        Sentinel("name", "Ada Quill", "quill", plausible=True),
    ),
    silent=0.05,
    held=0.3,  # a room that is not read may have been a heading
    # Below a keynote or panel whose heading is all there is, one line in the form of a title is its title.
    titleless=frozenset({44, 45, 104, 149, 150}),
    lost=frozenset(
        {
            (45, "replaced"),  # as above
            (73, "replaced"),  # the first of a title's two lines goes on with the text above, the second is garbage
        }
    ),
)
