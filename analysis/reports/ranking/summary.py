"""The answer of the ranking report: whose mean is highest and lowest. It has no test."""

from collections.abc import Callable, Iterator, Sequence

from analysis.reports.ranking.report import AspectRanking, RankedMean, RankingReport, RatedSystem
from analysis.reports.summaries import (
    MOST_NAMED,
    Sentence,
    aspect_words,
    digits,
    listed,
    pointing,
    said,
)


def ranking_sentences(content: RankingReport) -> list[Sentence]:
    """Say whose mean rating is highest and lowest on each aspect, and where differences are tested.

    What people wrote is compared with the systems in a sentence of its own.
    """
    shown = [table for table in content.tables if len(_systems(table)) > 1]
    return list(_sentences(shown[:MOST_NAMED], len(shown))) if shown else []


def _sentences(tables: Sequence[AspectRanking], aspects: int) -> Iterator[Sentence]:
    highest = _of_each(tables, lambda table: _ranked(table, min))
    lowest = _of_each(tables, lambda table: _ranked(table, max))
    more = f" (the first {len(tables)} of {aspects} aspects)" if aspects > len(tables) else ""
    yield said(f"The highest mean rating is that of {highest}; the lowest, of {lowest}{more}.")
    above: dict[str, list[str]] = {}
    for table in tables:
        best = min(_rank(system.raw) for system in _systems(table))
        for system in table.systems:
            if system.human and system.raw.rank is not None and system.raw.rank < best:
                above.setdefault(system.system, []).append(aspect_words(table.aspect))
    if above:
        parts = [f"{name} on {listed(own)}" for name, own in above.items()]
        yield said(f"Written by people and rated above every system: {listed(parts[:MOST_NAMED])}.")
    yield pointing(
        "These are means without tests: whether one system is better than another is tested in the "
        "report ",
        "System comparison",
        "system-comparison",
    )


def _systems(table: AspectRanking) -> list[RatedSystem]:
    """Return the systems that were rated, without what people wrote."""
    return [each for each in table.systems if each.raw.rank is not None and not each.human]


def _rank(mean: RankedMean) -> int:
    return mean.rank or 0


def _ranked(table: AspectRanking, end: Callable[..., int]) -> list[RatedSystem]:
    """Return the systems of the best or the worst rank: several, if their means are equal."""
    systems = _systems(table)
    place = end(_rank(system.raw) for system in systems)
    return [system for system in systems if system.raw.rank == place]


def _of_each(
    tables: Sequence[AspectRanking], chosen: Callable[[AspectRanking], Sequence[RatedSystem]]
) -> str:
    """Name the chosen of each aspect with their means, aspects of the same ones together."""
    found: dict[str, list[str]] = {}
    for table in tables:
        systems = chosen(table)
        value = digits(systems[0].raw.result.value or 0.0)
        names = listed([system.system for system in systems])
        found.setdefault(names, []).append(f"{aspect_words(table.aspect)} ({value})")
    return listed([f"{names} on {listed(on)}" for names, on in found.items()])
