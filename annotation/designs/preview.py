"""What a design will give, before anyone is invited."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotation.designs.assignment import Plan


@dataclass(frozen=True)
class Preview:
    """The load of each annotator and what can be computed afterwards.

    Parameters
    ----------
    items, ratings : int
        Items to be rated and ratings in all.
    load : integers, one per annotator
        Items of each annotator; for the shared queue the mean, rounded up.
    raters_per_item : (least, most)
    pairs : annotators × annotators integers
        How many items two annotators both rate; None for the shared queue, where it is not known.
    statistics : texts
        The agreement statistics that will be possible.
    impossible : texts
        Those that will not, each with the reason.
    """

    items: int
    ratings: int
    load: tuple[int, ...]
    raters_per_item: tuple[int, int]
    pairs: NDArray[np.intp] | None
    statistics: tuple[str, ...]
    impossible: tuple[str, ...]

    @property
    def shared_items(self) -> tuple[int, int] | None:
        """Least and most items that two annotators share."""
        if self.pairs is None or len(self.pairs) < 2:
            return None
        above = self.pairs[np.triu_indices(len(self.pairs), 1)]
        return int(above.min()), int(above.max())


_ITEMS_AT_ONCE = 20_000
Answers = Literal["categories", "continuous", "ranks", "choices"]
_POSSIBLE: dict[Answers, tuple[str, ...]] = {
    "categories": (
        *("percent agreement", "Fleiss' kappa", "Krippendorff's alpha", "Gwet's AC1/AC2"),
        "ICC(1)",
    ),
    "continuous": ("Krippendorff's alpha", "ICC(1)"),
    "ranks": ("percent agreement", "Krippendorff's alpha (ordinal)"),
    "choices": (
        *("percent agreement", "Fleiss' kappa", "Krippendorff's alpha (nominal)", "Gwet's AC1"),
    ),
}


def preview(
    plan: Plan, items: int, annotators: int, k: int, answers: Answers = "categories"
) -> Preview:
    """Count what a plan gives; which statistics will be possible depends on the answers too.

    Examples
    --------
    >>> from annotation.designs.assignment import balanced_overlap
    >>> segments, systems = np.repeat(np.arange(6), 2), np.tile(np.arange(2), 6)
    >>> shown = preview(balanced_overlap(segments, systems, 4, 2, seed=1), 12, 4, 2)
    >>> shown.load
    (6, 6, 6, 6)
    """
    if plan.queued.size:
        load = -(-items * k // annotators)
        possible, impossible = _statistics(k, answers, crossed=False, pairs_known=False)
        return Preview(items, items * k, (load,) * annotators, (k, k), None, possible, impossible)
    seen = np.zeros((annotators, items), bool)
    for person, rows in enumerate(plan.dealt):
        seen[person, rows] = True
    raters = seen.sum(axis=0)
    pairs = np.zeros((annotators, annotators), np.intp)
    for start in range(0, items, _ITEMS_AT_ONCE):
        # Whole numbers as large as these are exact, and multiplied much faster.
        some = seen[:, start : start + _ITEMS_AT_ONCE].astype(np.float32)
        pairs += (some @ some.T).astype(np.intp)
    possible, impossible = _statistics(
        int(raters.min()) if items else 0, answers, crossed=bool(seen.all()), pairs_known=True
    )
    return Preview(
        items,
        int(raters.sum()),
        tuple(int(n) for n in seen.sum(axis=1)),
        (int(raters.min()), int(raters.max())) if items else (0, 0),
        pairs,
        possible,
        impossible,
    )


def _statistics(
    raters: int, answers: Answers, *, crossed: bool, pairs_known: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say which agreement statistics a number of raters per item allows."""
    if raters < 2:
        return (), ("agreement between annotators: no item is rated twice",)
    possible, impossible = list(_POSSIBLE[answers]), []
    if answers in ("continuous", "choices"):
        impossible += _impossible(answers)
    if answers in ("ranks", "choices"):
        return tuple(possible), tuple(impossible)
    by_pairs = "Pearson" if answers == "continuous" else "Cohen's kappa and Pearson"
    if crossed:
        possible += ["ICC(2) and ICC(3)", f"{by_pairs} for every pair of annotators"]
    else:
        impossible.append("ICC(2) and ICC(3) over all items: not every annotator rates every item")
        if not pairs_known:
            impossible.append(
                f"{by_pairs} by pairs: which annotators share items depends on who comes when"
            )
        else:
            possible.append(f"{by_pairs} for annotators who share items")
    return tuple(possible), tuple(impossible)


def _impossible(answers: Answers) -> list[str]:
    """Say what the kind of answers rules out, however many annotators there are."""
    if answers == "choices":
        return ["ICC and Pearson: a choice between two texts is no number"]
    return [
        "percent agreement, Fleiss' kappa and Gwet's AC1/AC2: the scale has too many points for "
        "agreement on exact answers"
    ]
