"""A learned metric: a weighted mean of standardised scores, by weights that are parameters.

The weights were fitted to human ratings elsewhere; this module reads scores and names only. Folds
of segments and systems follow from hashes of their names: the same wherever they are computed.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from metrics.scorers.combination import (
    ListedParts,
    PartFacts,
    PartScores,
    not_judging,
)
from metrics.scorers.scorer import Floats, Scores, Texts
from metrics.scorers.spec import MetricSpec, Parameter, ParameterError

SEGMENT_FOLDS = 5
MOST_SYSTEM_FOLDS = 5


def segment_fold(key: str, seed: int) -> int:
    """Return the fold of a segment.

    Examples
    --------
    >>> [segment_fold(key, 1) for key in ("s1", "s2", "s3")]
    [1, 1, 2]
    """
    return _number(key, seed) % SEGMENT_FOLDS


def system_folds(names: Iterable[str], seed: int) -> dict[str, int]:
    """Return the fold of each system, so that folds are of equal size or differ by one.

    Examples
    --------
    >>> sorted(system_folds("abcdef", 1).values())
    [0, 0, 1, 2, 3, 4]
    """
    ordered = sorted(names, key=lambda name: (_number(name, seed), name))
    folds = max(1, min(MOST_SYSTEM_FOLDS, len(ordered)))
    return {name: place % folds for place, name in enumerate(ordered)}


def _number(name: str, seed: int) -> int:
    return int.from_bytes(sha256(f"{seed}\n{name}".encode()).digest()[:8], "big")


OUT_OF_FOLD, FULL_FIT = "out-of-fold", "full-fit"


@dataclass(frozen=True)
class LearnedWeights:
    """Weights of scores, as they are handed from a fit to a metric.

    Parameters
    ----------
    means, deviations
        By which each score, oriented so that higher is better, is standardised.
    full
        Weights of the fit to all cells; empty out of fold.
    folds
        Weights by fold of segments and fold of systems; empty in a full fit.
    systems
        Fold of each system of the fit.
    seed
        Of the folds.
    """

    means: Sequence[float]
    deviations: Sequence[float]
    full: Sequence[float] = ()
    folds: Sequence[Sequence[Sequence[float]]] = ()
    systems: Mapping[str, int] | None = None
    seed: int = 0

    def written(self) -> str:
        """Return the weights as the parameter of a run holds them."""
        kept = {name: value for name, value in asdict(self).items() if value}
        return json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @classmethod
    def read(cls, text: str, parts: int, use: str) -> "LearnedWeights":
        """Read what `written` wrote.

        Raises
        ------
        ParameterError
            If it is nothing of the kind, or does not fit the number of parts or the use.
        """
        wrong = ParameterError(
            "weights: these are no learned weights; learn them on the page Learned metric"
        )
        try:
            found = cls(**json.loads(text))
            tables = (
                [found.full] if use == FULL_FIT else [each for row in found.folds for each in row]
            )
            rows = [found.means, found.deviations, *tables]
            if not tables or {len(each) for each in rows} != {parts}:
                raise ParameterError(f"weights: they do not fit {parts} parts used {use}")
            numbers = np.array(rows, dtype=np.float64)
            if use == OUT_OF_FOLD:
                _check_folds(found)
        except (TypeError, ValueError, AttributeError) as error:
            raise error if isinstance(error, ParameterError) else wrong from None
        if not np.isfinite(numbers).all() or (numbers[1:] < 0).any() or not numbers[1].all():
            raise ParameterError("weights: weights are from 0 on, and deviations above 0")
        return found

    def of_texts(self, texts: Texts, use: str) -> Floats:
        """Return the weights of each text: texts × parts.

        Out of fold, a system that was in no fit gets the mean of the weights that do not know its
        segment.
        """
        if use == FULL_FIT:
            return np.tile(np.asarray(self.full, dtype=np.float64), (len(texts), 1))
        table = np.asarray(self.folds, dtype=np.float64)
        table = np.concatenate([table, table.mean(axis=1, keepdims=True)], axis=1)
        rows = [segment_fold(key, self.seed) for key in texts.keys]
        systems = self.systems or {}
        columns = [systems.get(name, table.shape[1] - 1) for name in texts.systems]
        found: Floats = table[rows, columns]
        return found


def _check_folds(learned: LearnedWeights) -> None:
    """Refuse folds that are not those of segments and systems.

    Raises
    ------
    ValueError
    """
    [columns] = {len(row) for row in learned.folds}
    places = [] if learned.systems is None else list(learned.systems.values())
    if len(learned.folds) != SEGMENT_FOLDS or not set(places) <= set(range(columns)):
        raise ValueError("folds of other segments or systems")


class LearnedMetric(ListedParts):
    """One score from several others, by weights that were learned from human ratings.

    The report Learned metric makes it.

    Formula
    -------
    Σ wᵢ (xᵢ − mᵢ) / sᵢ of the oriented scores xᵢ, with means m and deviations s of the study of the
    fit, w ≥ 0 and Σ w = 1. Out of fold, each output has the weights of a fit that knows neither its
    segment nor its system; in a full fit, all have the weights of the fit to all ratings.

    Range
    -----
    about −3 to 3; 0 is the mean of the outputs that the weights were learned on

    Distrust
    --------
    Weights of few ratings are uncertain: the report shows their intervals. They hold for texts and
    systems like those they were learned on. Weights of a full fit must never be evaluated on the
    ratings that they were fitted to.

    Citation
    --------
    Nested cross-validation: Varma and Simon 2006, BMC Bioinformatics.
    """

    spec = MetricSpec(
        key="learned-metric",
        edge_cases=("as its parts", "as its parts", "as its parts", "scored", "scored"),
        title="Learned metric",
        aspect="overall",
        orientation="higher",
        needs=frozenset({"scores"}),
        parameters=(
            Parameter("parts", "", "The scores to combine, by commas, as the report names them."),
            Parameter(
                "use",
                OUT_OF_FOLD,
                "Weights of each output's folds, for the study of the fit, or those of the fit to "
                "all ratings, for other studies.",
                choices=(OUT_OF_FOLD, FULL_FIT),
            ),
            Parameter("fitted_to", "", "What the weights were fitted to: study, aspect and hash."),
            Parameter("weights", "", "What was learned, as the report wrote it."),
        ),
        takes_masked=False,
    )

    def check_weights(self, parts: int) -> None:
        """See `ListedParts.check_weights`."""
        self._weights(parts)

    def objection(self, role: str, part: PartFacts) -> str:
        """See `Combination.objection`."""
        return not_judging(part, ("higher", "lower"))

    def combine(self, texts: Texts, parts: Sequence[PartScores]) -> Scores:
        """See `Combination.combine`."""
        learned = self._weights(len(parts))
        weights = learned.of_texts(texts, str(self.parameters["use"]))
        found = np.zeros(len(texts))
        undefined: dict[int, str] = {}
        for place, part in enumerate(parts):
            oriented = -part.values if part.lower_is_better else part.values
            share = weights[:, place]
            standardised = (oriented - learned.means[place]) / learned.deviations[place]
            found += np.where(share > 0, share * standardised, 0.0)
            for row in np.flatnonzero(np.isnan(part.values) & (share > 0)).tolist():
                undefined.setdefault(row, part.missing(row))
        return Scores(found.reshape(-1, 1), undefined, np.empty((len(found), 0)))

    def _weights(self, parts: int) -> LearnedWeights:
        text, use = str(self.parameters["weights"]), str(self.parameters["use"])
        return LearnedWeights.read(text, parts, use)


SCORERS: tuple[Any, ...] = (LearnedMetric,)
