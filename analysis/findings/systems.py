"""The card on which systems are better: means of human scores, or strengths by votes."""

from collections.abc import Sequence

from analysis.charts.chart import counted, format_number
from analysis.findings.card import Card, Pictures, Source, pictures, row
from analysis.reports.standing import Standing, standing_in
from analysis.reports.summaries import aspect_words
from analysis.reports.system_comparison.report import SystemComparisonReport
from analysis.reports.system_comparison.strengths import Strengths
from analysis.reports.system_comparison.summary import (
    means_answer,
    means_contest,
    votes_answer,
    votes_standing,
    without_strength,
)
from analysis.stats.results import Result

MOST_SYSTEMS = 12


def systems(source: Source) -> Card:
    """Say which system is rated highest, and which others tests put below it."""
    content: SystemComparisonReport = source.report("system-comparison").content
    if len(content.systems) > 1:
        return _by_means(content)
    fits = [fit for fit in content.strengths if fit.systems]
    if fits:
        return _by_votes(fits[0], content.aspects)
    unfit = [fit.undefined.reason for fit in content.strengths if fit.undefined]
    why = unfit[0] if unfit else "fewer than two systems were rated by humans"
    return Card(missing=f"Systems cannot be compared: {why}.", aspects=content.aspects)


def _by_means(content: SystemComparisonReport) -> Card:
    names = [entry.system for entry in content.systems]
    standing = standing_in(means_contest(content))
    on = f" on {aspect_words(content.aspect)}"
    lead, rest = means_answer(standing, content.aspect)
    return Card(
        lead=lead,
        rest=rest,
        note=_shown(len(names)) or f"mean human scores of {counted(len(names), 'system')}",
        pictures=_pictures(
            [(entry.system, entry.result) for entry in content.systems],
            standing,
            title="Systems by mean human score" + on,
            statistic="mean human score, 95 % interval",
        ),
        aspect=content.aspect,
        aspects=content.aspects,
    )


def _by_votes(fit: Strengths, aspects: tuple[str, ...]) -> Card:
    names = [entry.system for entry in fit.systems]
    standing = votes_standing(fit)
    on = f" on {aspect_words(fit.aspect)}"
    lead, rest = votes_answer(standing, fit.aspect)
    ties = f", {format_number(100 * fit.ties / fit.judgements, 0)} % ties" if fit.ties else ""
    return Card(
        lead=lead,
        rest=rest + without_strength(fit),
        note=_shown(len(names)) or f"{fit.judgements:,} votes{ties}",
        pictures=_pictures(
            [(entry.system, entry.result) for entry in fit.systems],
            standing,
            title="Systems by votes" + on,
            statistic="log strength (Bradley–Terry), 95 % interval",
        ),
        aspect=fit.aspect,
        aspects=aspects,
    )


def _pictures(found: Sequence[tuple[str, Result]], standing: Standing, **chart: str) -> Pictures:
    """Return the picture of the first systems, those behind the first set off."""
    rows = [
        row(name, result, behind=place in standing.behind)
        for place, (name, result) in enumerate(found[:MOST_SYSTEMS])
    ]
    return pictures(rows, name="finding-systems", **chart)


def _shown(systems: int) -> str:
    return f"{MOST_SYSTEMS} of {systems} systems" if systems > MOST_SYSTEMS else ""
