"""The answer of the disagreement explorer: the largest gap, and how many are as large as half."""

import numpy as np

from analysis.explorer.disagreement import Disagreements
from analysis.reports.summaries import Sentence, aspect_words, said

LARGE = 0.5
"""Distance of ranks from which on gaps are counted: half of all outputs lie between."""


def disagreement_sentences(found: Disagreements) -> list[Sentence]:
    """Say which output has the largest gap, and how many have a large one, by side."""
    if not len(found):
        return []
    gaps = found.ranked.gaps.gap.ravel()[found.order]
    metric, human = int(np.sum(gaps >= LARGE)), int(np.sum(gaps <= -LARGE))
    shown = f"{len(gaps):,} {'output' if len(gaps) == 1 else 'outputs'}"
    many = f"{metric + human:,} of {shown} differ by at least {100 * LARGE:.0f} points of rank"
    if not found.asked.side and metric + human:
        many += f": {metric:,} rated higher by the metric, {human:,} by human raters"
    return [said(" ".join(largest_gap(found))), said(f"{many}.")]


def largest_gap(found: Disagreements) -> tuple[str, str]:
    """Return what the metric and human raters say of the first output."""
    ranked, place = found.ranked, int(found.order[0])
    row, column = divmod(place, len(ranked.cells.systems))
    segment = found.data.segment_keys[ranked.cells.segments[row]]
    system = found.data.systems[ranked.cells.systems[column]].name
    human, metric = (
        f"{100 * float(shares[row, column]):.0f} %"
        for shares in (ranked.gaps.human_share, ranked.gaps.metric_share)
    )
    aspect = aspect_words(found.asked.question.aspect)
    return (
        f"The largest gap for {found.asked.scored_by} on {aspect}:",
        f"human raters put the output of {system} on {segment} above {human} of the others, the "
        f"metric above {metric}.",
    )
