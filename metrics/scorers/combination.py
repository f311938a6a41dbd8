"""What every metric is that combines scores of others: scores in, arrays out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from metrics.scorers.scorer import Floats, Scorer, Scores, Texts
from metrics.scorers.spec import ParameterError, Value


class NothingNamed(ParameterError):
    """No score to combine was named."""


@dataclass(frozen=True, slots=True)
class PartFacts:
    """What is known of a score that is to be combined.

    Parameters
    ----------
    label
        Its name for people.
    metric
        Key of the metric, or the name under which it was imported.
    orientation
        Which way is better, as the study has it; ``unknown`` where nobody has said.
    statistics
        Names of the sufficient statistics that its run keeps.
    """

    label: str
    metric: str
    orientation: str
    statistics: tuple[str, ...] = ()


@dataclass(frozen=True)
class PartScores:
    """Scores of some texts by one part.

    Parameters
    ----------
    label
        Its name for people.
    values : ndarray, shape (texts,)
        NaN where there is none.
    lower_is_better
        Which way they run.
    undefined
        Row to why there is none.
    """

    label: str
    values: Floats
    lower_is_better: bool = False
    undefined: Mapping[int, str] = field(default_factory=dict)


class Combination(Scorer):
    """A metric of scores that are stored already. Its parameters name them.

    Whoever runs it finds the scores by the names of `parts`, and puts names that stay in their
    place by `naming`. A metric with no fields has no number for an output, only for a system.
    """

    @abstractmethod
    def parts(self) -> dict[str, str]:
        """Return what each part is for, with the name that the parameters give.

        Raises
        ------
        ParameterError
            If the parameters name none, or do not fit together.
        """

    @abstractmethod
    def naming(self, names: Mapping[str, str]) -> dict[str, Value]:
        """Return the parameters with other names of the same parts."""

    @abstractmethod
    def objection(self, role: str, part: PartFacts) -> str:
        """Say why a score cannot be this part, and what to do; empty if it can."""

    def combine(self, parts: Sequence[PartScores]) -> Scores:
        """Combine the scores of texts, given in the order of `parts`.

        Raises
        ------
        NotImplementedError
            If there is no number for a text.
        """
        raise NotImplementedError(f"{self.spec.key} is a score of systems")

    def combine_of(self, texts: Texts, parts: Sequence[PartScores]) -> Scores:
        """Combine the scores of texts where it matters of which segments and systems they are."""
        return self.combine(parts)

    def score(self, texts: Texts) -> Scores:
        """Refuse: there is nothing to be seen in texts."""
        raise NotImplementedError(f"{self.spec.key} combines scores, it reads no texts")


def not_judging(part: PartFacts, takes: Sequence[str]) -> str:
    """Say why scores cannot be combined by which way is better; empty if they can."""
    if part.orientation in takes:
        return ""
    if part.orientation == "unknown":
        return "nobody has declared whether higher or lower is better: do so on the page Metrics"
    if part.orientation == "lower":
        return "its lower scores are better"
    return "its higher scores are not better: it describes, or has a target"
