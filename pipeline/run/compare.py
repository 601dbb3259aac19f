"""Compares merged records with those that they replace: what has changed, and what newer code would take from them.

Large sources are compared part by part.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from pipeline.base.signals import Policy, overrules
from pipeline.guarding.comparison import Comparison, compare, join_comparisons
from pipeline.merging.parts import Parts
from pipeline.publishing.captures import feeding_dumps, with_companions
from pipeline.publishing.changes import find_changes
from pipeline.run.job import Job
from pipeline.run.judge import JudgedSource
from pipeline.run.merge import MergedRows, published_parts


@dataclass(frozen=True, slots=True)
class Compared:
    """Merged records beside those that they replace.

    ``stay`` counts the published records that stay. ``differences`` is None where there is nothing to compare them
    with; ``changed`` are rows of the change table, ``orphaned`` is a message on records that are gone with their dumps.
    """

    stay: int
    differences: Comparison | None
    changed: pl.DataFrame
    orphaned: str | None = None


def compare_published(job: Job, merged: MergedRows) -> Compared:
    """Compare merged records with those that they replace, part by part."""
    stay, beside = 0, _beside(job, merged)
    if merged.groups is not None:
        beside = list(beside)
        stay = job.published - sum(before.height for before, _ in beside)
    is_compared = job.published and (merged.groups is None or merged.groups)
    differences, changed, removed, gone = list[Comparison](), list[pl.DataFrame](), removed_dumps(job), 0
    for before, now in beside:
        if removed:
            gone += (
                before.filter(pl.col("dump").is_in(with_companions(removed, job.owners)))
                .join(now, on="record_id", how="anti")
                .height
            )
        if is_compared:
            differences.append(compare(before, now, stay))
        retitled = differences[-1].retitled if is_compared else ()
        changed.append(find_changes(None if before.is_empty() else before, now, retitled))
    joined = join_comparisons(differences) if is_compared else None
    orphaned = f"{gone} of {job.published} records are gone: their dumps are, such as {removed[0]}" if gone else None
    return Compared(stay, joined, pl.concat(changed).sort("source", "record_id"), orphaned)


def find_harm(job: Job, judged: JudgedSource, merged: MergedRows, compared: Compared) -> dict[str, str]:
    """Return the guards that reject what newer code or tables make of published records, each with its message.

    As for a capture, settings and sidecars can overrule them.
    """
    if compared.differences is None or job.plan.anew or job.reads_as_before:
        return {}
    settings, harm, found = job.plan.settings.guards.of(job.source), {}, dict[frozenset[str], list[Comparison]]()
    for guard in ("lost", "spoilt"):
        dumps = (verdict.dump for verdict in judged.verdicts)
        accepting = frozenset(path for dump in dumps if overrules(dump.facts.accept, guard) for path in dump.paths)
        if accepting not in found:
            found[accepting] = list(_compare_pages(job, merged, accepting))
        alarms = (each.found[guard] for each in found[accepting] if guard in each.found)
        if settings.policy(guard) is Policy.FAIL and (detail := next(alarms, None)) is not None:
            harm[guard] = detail
    return harm


def removed_dumps(job: Job) -> list[str]:
    """Return the dumps that published rows come from and that are there no more."""
    return sorted(feeding_dumps(job.captures).keys() - {dump.path for dump in job.dumps})


def _beside(job: Job, merged: MergedRows) -> Iterable[tuple[pl.DataFrame, pl.DataFrame]]:
    """Yield the published records of each part, and the merged ones."""
    previous = job.plan.previous
    if merged.groups is None or previous is None:
        yield from zip(published_parts(job, merged.ends), merged.records, strict=True)
    else:
        yield previous.rows_in("records", job.source, merged.groups), merged.records.whole()


def _compare_pages(job: Job, merged: MergedRows, accepting: Collection[str]) -> Iterator[Comparison]:
    """Yield how the published records have changed, in all and those of each page, wherever they stand now.

    The loss of one page is a small share among those of many. Records of the ``accepting`` dumps do not count.
    """
    pages, many = feeding_dumps(job.captures), len(merged.ends) + 1
    pages |= {path: pages[dump] for path, dump in job.owners.items() if dump in pages}
    folder = job.session.folder if merged.ends else None
    by_page = [(Parts(folder), Parts(folder)) for _ in range(many)]
    for before, every in _beside(job, merged):
        now = every.filter(~pl.col("dump").is_in(sorted(accepting)))
        yield compare(before, now)
        place = before["dump"].replace(pages).hash() % many
        for number, (olds, news) in enumerate(by_page):
            olds.add(before.filter(place == number))
            news.add(now.join(before.filter(place == number), on="record_id", how="semi", maintain_order="left"))
    for olds, news in by_page:
        rows = news.whole()
        for _, published in olds.whole().group_by(pl.col("dump").replace(pages), maintain_order=True):
            yield compare(published, rows.join(published, on="record_id", how="semi", maintain_order="left"))
