"""The table of captures: what is known of a page goes on where an earlier version published its address as it is."""

import polars as pl

from pipeline.publishing.captures import mask_addresses
from tests.support.toy import Desk

ADDRESS = "https://fair.example/day.txt?token=first-token-5up3r"


def test_captures_of_an_earlier_version_are_masked(desk: Desk) -> None:
    """Their page is that of new captures then, and what is published again has no secret."""
    desk.put("fair/a.txt", {"title": "Hay"}, sidecar=f'url = "{ADDRESS}"\n')
    desk.run()
    published = desk.table("captures", "fair")
    facts = published["facts"].str.replace(r"token=[^\"]*", "token=first-token-5up3r")
    earlier = published.with_columns(facts.alias("facts"), page=pl.lit(ADDRESS))
    assert ("5up3r" in str(earlier.to_dicts()), "5up3r" in str(published.to_dicts())) == (True, False)
    assert mask_addresses(earlier).select("page").equals(published.select("page"))
    assert "5up3r" not in str(mask_addresses(earlier).to_dicts())


def test_captures_without_secrets_stay_as_they_are(desk: Desk) -> None:
    """Nothing is copied."""
    desk.put("fair/a.txt", {"title": "Hay"}, sidecar='url = "https://fair.example/day.txt"\n')
    desk.run()
    published = desk.table("captures", "fair")
    assert mask_addresses(published) is published
