"""What a design will give, before anyone is invited: load, overlap, possible statistics."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from annotation.designs.assignment import Plan

Part = Literal["people", "ratings", "each"]


class LoadError(ValueError):
    """Numbers that do not go together; the message says what would do."""


@dataclass(frozen=True)
class Load:
    """How much work there is and how it is shared.

    Parameters
    ----------
    screens
        What is to be rated: items, or screens of several items.
    people, ratings
        How many rate, and how often each screen is rated.
    each
        Screens of one person, rounded up; controls and practice come on top.
    computed
        Which of the three follows from the other two.
    """

    screens: int
    people: int
    ratings: int
    each: int
    computed: Part

    @property
    def total(self) -> int:
        """Ratings in all."""
        return self.screens * self.ratings

    @property
    def is_rounded(self) -> bool:
        """Whether some have fewer than `each`."""
        return self.people * self.each != self.total


def complete(
    screens: int,
    people: int | None = None,
    ratings: int | None = None,
    each: int | None = None,
    *,
    team: int = 1,
) -> Load:
    """Work out the one of three numbers that is not stated.

    Parameters
    ----------
    screens
    people, ratings, each
        Two of them. Where all three are stated they must agree.
    team
        People come in so many at a time: the ratings per item in fixed batches, where 0 stands
        for that number.

    Raises
    ------
    LoadError
        If fewer than two are stated, or they give less than one rating of every screen.

    Examples
    --------
    >>> complete(96, people=4, each=48)
    Load(screens=96, people=4, ratings=2, each=48, computed='ratings')
    >>> complete(96, ratings=3, each=40).people
    8
    """
    if people is not None and ratings is not None:
        needed = -(-screens * ratings // people)
        if each is not None and each != needed:
            raise LoadError(
                f"{screens} items with {ratings} ratings each are {needed} items for each of "
                f"{people} annotators, not {each}: leave one of the three empty"
            )
        return Load(screens, people, ratings, needed, "each")
    if each is None:
        raise LoadError("state two of the three: items per annotator, annotators, ratings per item")
    if ratings is not None:
        together = team or ratings
        people = max(-(-screens * ratings // each), ratings)
        return Load(screens, -(-people // together) * together, ratings, each, "people")
    if people is None:
        raise LoadError("state two of the three: items per annotator, annotators, ratings per item")
    found = people * each // screens
    if not found:
        raise LoadError(
            f"{people} annotators with {each} items each give {people * each} ratings, fewer than "
            f"the {screens} items: choose fewer segments, or more annotators or items for each"
        )
    return Load(screens, people, min(found, people), each, "ratings")


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
