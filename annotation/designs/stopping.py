"""The rule by which a campaign stops, stated before it starts."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

GOALS: Mapping[str, str] = {
    "pairs": "every pair of systems is settled",
    "pair": "one pair of systems is settled",
    "clusters": "the systems form a number of clusters",
    "means": "each system’s mean has a narrow interval",
    "differences": "each difference has a narrow interval",
}
METHODS: Mapping[str, str] = {
    "empirical-bernstein": "empirical Bernstein",
    "betting": "betting",
    "asymptotic": "asymptotic",
}


class RuleError(ValueError):
    """A rule that says too little; `field` names what is missing or impossible."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When a campaign has enough ratings.

    Parameters
    ----------
    goal
        A pair is settled when its systems are told apart, or equivalent within `margin`.
    aspect
        The question that is looked at, as it is stored.
    pair
        The two systems by primary key, for the goal ``"pair"``.
    clusters
        How many, for the goal ``"clusters"``.
    margin
        Differences within ± this are equivalent; 0 for never.
    half_width
        Half the width that is narrow enough.
    method
        One of `METHODS`.
    adaptive
        Whether ratings go only to systems that still need them.
    automatic
        Whether no more items are handed out when the rule is met.
    """

    goal: str
    aspect: str
    pair: tuple[int, int] | None = None
    clusters: int = 0
    margin: float = 0.0
    half_width: float = 0.0
    method: str = "empirical-bernstein"
    adaptive: bool = True
    automatic: bool = False

    @property
    def is_of_widths(self) -> bool:
        """Whether intervals are to be narrow, and not pairs settled."""
        return self.goal in ("means", "differences")

    def check(self) -> None:
        """Refuse a rule that says too little.

        Raises
        ------
        RuleError
        """
        if self.goal == "pair" and (self.pair is None or self.pair[0] == self.pair[1]):
            raise RuleError("pair", "Choose two different systems.")
        if self.goal == "clusters" and self.clusters < 2:
            raise RuleError("clusters", "Enter how many clusters are enough, at least 2.")
        if self.is_of_widths and not self.half_width > 0:
            raise RuleError("half_width", "Enter the half-width that is narrow enough.")

    def stored(self) -> dict[str, Any]:
        """Return the rule as a campaign keeps it."""
        return asdict(self) | {"pair": list(self.pair) if self.pair else None}

    def in_words(self, names: Mapping[int, str]) -> str:
        """Return the rule as the end of "Ratings are enough when …".

        Examples
        --------
        >>> StoppingRule("pairs", "fluency", margin=0.2).in_words({})
        'every pair of systems is told apart, or equivalent within ±0.2, on fluency'
        """
        aspect = self.aspect.replace("_", " ")
        if self.is_of_widths:
            what = "system’s mean" if self.goal == "means" else "difference of two systems"
            return f"the interval of each {what} on {aspect} reaches ±{self.half_width:g} or less"
        if self.goal == "clusters":
            return f"the systems form at least {self.clusters} clusters on {aspect}"
        who = "every pair of systems"
        if self.pair is not None:
            first, second = (names.get(pk, f"system {pk}") for pk in self.pair)
            who = f"the pair {first} and {second}"
        equivalent = f", or equivalent within ±{self.margin:g}," if self.margin else ""
        return f"{who} is told apart{equivalent} on {aspect}"


def rule_of(selection: Mapping[str, Any]) -> StoppingRule | None:
    """Return the rule that a campaign's selection states; None where it has none."""
    stated = selection.get("stopping")
    if not stated:
        return None
    pair = stated.get("pair")
    return StoppingRule(**{**stated, "pair": (int(pair[0]), int(pair[1])) if pair else None})
