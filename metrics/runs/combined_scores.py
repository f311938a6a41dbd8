"""Stored scores of the parts of a combined metric, block by block, and what it makes of them."""

from collections.abc import Mapping, Sequence

import numpy as np

from metrics.models import MetricRun, ScoreBlock, Undefined
from metrics.runs.combined_parts import PartColumn, lower_is_better
from metrics.runs.packed_scores import unpack
from metrics.scorers.combination import Combination, PartScores
from metrics.scorers.scorer import Floats, Scores, Texts, Unavailable

NOT_IMPORTED = "no score was imported for this text"


class CombinedScores:
    """Gives a combination the scores of its parts.

    Parameters
    ----------
    combination
        What combines.
    parts
        Runs by what each is for, in its order.
    """

    def __init__(self, combination: Combination, parts: Mapping[str, PartColumn]) -> None:
        self._combination = combination
        self._parts = list(parts.values())

    def score(self, texts: Texts, block: int, start: int, rows: Sequence[int]) -> Scores:
        """Combine the scores of the texts at some rows of a block that begins at an ordinal.

        Raises
        ------
        Unavailable
            If a part that is computed here has no scores of these texts yet.
        """
        found = [self._of(part, texts, block, start, rows) for part in self._parts]
        return self._combination.combine_of(texts, found)

    def _of(
        self, part: PartColumn, texts: Texts, block: int, start: int, rows: Sequence[int]
    ) -> PartScores:
        label = part.facts.label
        stored = ScoreBlock.objects.filter(run=part.run, number=block).first()
        scores = np.full((max(rows, default=-1) + 1, len(part.run.fields)), np.nan)
        known = np.empty((0, len(part.run.fields)))
        if stored is not None:
            known = unpack(stored.values, len(part.run.fields))[: len(scores)]
        is_imported = part.run.origin == MetricRun.Origin.IMPORTED
        if len(known) < len(scores) and not is_imported:
            raise Unavailable(f"{label} has no scores of these texts yet: score it first")
        scores[: len(known)] = known
        values = scores[list(rows), part.column]
        undefined = _reasons(part, start, rows)
        if is_imported:
            missing = np.flatnonzero(np.isnan(values)).tolist()
            undefined = dict.fromkeys(missing, NOT_IMPORTED) | undefined
        if part.run.metric.speaks_of:
            values, unrelated = _toward_target(part, values, texts)
            undefined = unrelated | undefined
        return PartScores(label, values, lower_is_better(part), undefined)


def _reasons(part: PartColumn, start: int, rows: Sequence[int]) -> dict[int, str]:
    """Return why texts have no score of a part, by their place among the rows."""
    if not rows:
        return {}
    ordinals = {start + row: place for place, row in enumerate(rows)}
    found = Undefined.objects.filter(
        run=part.run,
        field=part.field,
        output__ordinal__gte=min(ordinals),
        output__ordinal__lte=max(ordinals),
    ).values_list("output__ordinal", "reason")
    return {ordinals[ordinal]: reason for ordinal, reason in found if ordinal in ordinals}


def _toward_target(part: PartColumn, values: Floats, texts: Texts) -> tuple[Floats, dict[int, str]]:
    """Mirror the score of one style where another is wanted, as reports do."""
    style, midpoint = part.run.metric.speaks_of, part.run.metric.midpoint or 0.0
    keep = np.array([target == style for target in texts.target_styles], dtype=bool)
    turn = np.array([source == style for source in texts.source_styles], dtype=bool) & ~keep
    turned = np.where(keep, values, np.where(turn, 2 * midpoint - values, np.nan))
    words = f"it refers to the style {style!r}, which is neither this text's source nor its target"
    return turned, dict.fromkeys(np.flatnonzero(~keep & ~turn).tolist(), words)
