"""What stands beside the correlations of a page: cautions, and the kinds of human scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.charts.chart import counted
from analysis.explorer.links import explorer_link
from analysis.reports.correlation.content import CorrelationReport, MetricRow, ScoreKinds
from analysis.reports.correlation.human_score_kinds import KINDS, kind_anchor, kinds_sentences
from analysis.reports.metric_groups import by_comparison
from analysis.shown_numbers import number
from analysis.wording import HUMAN_SCORES, aspect_heading

MOST_CAUTIONS = 6


def cautions(
    rows: Sequence[MetricRow], aspect: str, headings: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return what is to be known of the intervals in an aspect's table, by column."""
    columns: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.aspect != aspect:
            continue
        for name, heading in headings.items():
            facts = row.results[name].details
            for words in filter(None, (facts.get("caution"), _no_interval(facts))):
                columns.setdefault(words, {})[heading] = None
    found = [(", ".join(of), words) for words, of in columns.items()]
    more = len(found) - MOST_CAUTIONS
    if more > 0:
        words = f"{counted(more, 'more note')}: open the numbers to read them"
        found = [*found[:MOST_CAUTIONS], ("Others", words)]
    return found


def _no_interval(facts: Mapping[str, Any]) -> str:
    reason = facts.get("no_interval_because")
    return f"no interval, because: {reason}" if reason else ""


def kinds_table(
    content: CorrelationReport,
    entry: ScoreKinds,
    labels: Mapping[tuple[str, str], tuple[str, str]],
) -> dict[str, Any]:
    """Return an aspect's correlations by raw, z-scored and ranked human scores."""
    aspect, aspects = entry.aspect, content.aspects
    own = [(place, content.rows[place]) for place in entry.rows]
    shown = []
    for place, row in own:
        name, compared_to = labels[row.run, row.metric]
        shown.append(
            {
                "name": name,
                "compared_to": compared_to,
                "raw": row.orientation == "raw",
                "link": explorer_link(row.conditions),
                "anchor": kind_anchor(aspects, aspect, place),
                "numbers": [number(row.scores[kind]) for kind in KINDS],
            }
        )
    return {
        "aspect": aspect,
        "heading": aspect_heading(aspect),
        "columns": [HUMAN_SCORES[kind] for kind in KINDS],
        "groups": by_comparison(shown),
        "sentences": kinds_sentences(aspect, aspects, own),
    }
