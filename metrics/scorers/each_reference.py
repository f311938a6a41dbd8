"""Scorers that compare an output with one text at a time, and sum up over several references."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Generic, TypeVar

from metrics.scorers.comparing import ComparingScorer
from metrics.scorers.spec import Parameter

Read = TypeVar("Read")


def over_references(*choices: str) -> Parameter:
    """Return the parameter that says which score of several counts; the default comes first."""
    return Parameter(
        "references",
        choices[0],
        f"Which score counts of those against several references: {' or '.join(choices)}.",
        choices=choices,
    )


class EachReferenceScorer(ComparingScorer[list[Read]], Generic[Read]):
    """Reads texts once each; references that have nothing in them are left out."""

    @abstractmethod
    def read(self, text: str) -> Read | None:
        """Return what is compared of a text; None if there is nothing."""

    def of_empty(self, reference: Read) -> float:
        """Return the score of an output that has nothing in it, as the metric's library does."""
        return 0.0

    @abstractmethod
    def pair(self, output: Read, reference: Read) -> float:
        """Return the score of an output against one text."""

    def best(self, scores: Sequence[float]) -> float:
        """Return the best of the scores against several references."""
        return max(scores)

    def prepare(self, against: tuple[str, ...]) -> list[Read] | None:
        """Return all texts that have something in them."""
        read = [each for each in map(self.read, against) if each is not None]
        return read or None

    def compare(self, output: str, prepared: list[Read]) -> tuple[float, Sequence[float]]:
        """Return the best score or the mean."""
        read = self.read(output)
        if read is None:
            scores = [self.of_empty(reference) for reference in prepared]
        else:
            scores = [self.pair(read, reference) for reference in prepared]
        if len(scores) == 1:
            return scores[0], ()
        return (sum(scores) / len(scores) if self._takes_mean else self.best(scores)), ()

    @cached_property
    def _takes_mean(self) -> bool:
        return self.parameters["references"] == "mean"
