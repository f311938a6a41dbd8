"""Correlations of metrics with human scores over the outputs of one system, in each direction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.data.arrays import Integers
from analysis.data.named_metric import NamedMetric, label_of
from analysis.estimates.correlations import Pairing, correlation_variant
from analysis.filter.question import Question
from analysis.stats.correlation.pearson import COEFFICIENTS, correlate
from analysis.stats.results import Result
from analysis.stats.signature import signature

MOST_SYSTEMS = 30
ALL = "all"
"""Stands for the segments of all directions together."""


@dataclass(frozen=True, kw_only=True)
class SystemsOfMetric(NamedMetric):
    """A metric's correlation with an aspect over the outputs of each system, in one direction.

    `results` are in the order of the report's systems; `direction` may be `ALL`.
    """

    aspect: str
    direction: str
    orientation: str
    results: tuple[Result, ...]


def by_system(
    pairing: Pairing, question: Question, directions: Sequence[str]
) -> Iterator[SystemsOfMetric]:
    """Yield a metric's correlations by system: in each direction, and over all together.

    Each segment has one output of a system, so outputs are independent units, and the interval is
    Fisher's. Coefficients are the one asked for, Pearson's r in place of τ-like.

    Parameters
    ----------
    pairing
    question
    directions
        Of each segment of the pairing; empty where its styles are not known.
    """
    coefficient = question.statistic if question.statistic in COEFFICIENTS else "pearson"
    for direction, rows in _parts(directions):
        name = signature(
            coefficient,
            level="segment",
            group="one-system",
            confidence=0.95,
            direction=direction.replace("|", "-").replace(":", "-"),
            **correlation_variant(pairing, question),
        )
        yield SystemsOfMetric(
            **label_of(pairing.column),
            aspect=pairing.aspect,
            direction=direction,
            orientation=pairing.orientation,
            results=tuple(
                correlate(
                    pairing.metric[rows, system],
                    pairing.human[rows, system],
                    coefficient,
                    unit="outputs",
                    name=name,
                )
                for system in range(len(pairing.systems))
            ),
        )


def _parts(directions: Sequence[str]) -> Iterator[tuple[str, Integers]]:
    """Yield the places of segments of each direction, if there are several, and of all."""
    known = sorted({direction for direction in directions if direction})
    for direction in known if len(known) > 1 else ():
        yield direction, np.flatnonzero(np.array(directions) == direction)
    yield ALL, np.arange(len(directions))
