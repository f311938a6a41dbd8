"""Crossed random effects of outputs, segments and annotators: algebra, choice and search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import CELLS_IN_MEMORY, BoolArray, FloatArray, IntArray

Term: TypeAlias = Literal["outputs", "segments", "annotators"]
TERMS: tuple[Term, ...] = ("outputs", "segments", "annotators")
"""In the order in which they are eliminated."""


@dataclass(frozen=True)
class Crossing:
    """Which output, segment and annotator each rating belongs to; outputs lie within segments.

    Parameters
    ----------
    output, segment, annotator : ndarray of int, shape (n_ratings,)
        Levels from 0, each with a rating.
    """

    output: IntArray
    segment: IntArray
    annotator: IntArray

    @cached_property
    def codes(self) -> tuple[IntArray, IntArray, IntArray]:
        """Levels in the order of `TERMS`."""
        return self.output, self.segment, self.annotator

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Levels of each term."""
        return tuple(int(codes.max()) + 1 for codes in self.codes)

    @cached_property
    def parts(self) -> tuple[slice, ...]:
        """Where the effects of each term stand in a vector of all."""
        ends = np.cumsum((0, *self.sizes)).tolist()
        return tuple(slice(*pair) for pair in pairwise(ends))

    @cached_property
    def parent(self) -> IntArray:
        """Segment of each output."""
        found = np.zeros(self.sizes[0], dtype=np.int64)
        found[self.output] = self.segment
        return found

    @cached_property
    def raters(self) -> tuple[IntArray, IntArray, IntArray]:
        """Pairs of output and annotator, and which pair each rating is."""
        cells = self.output * self.sizes[2] + self.annotator
        pairs, place = np.unique(cells, return_inverse=True)
        return pairs // self.sizes[2], pairs % self.sizes[2], place

    def spread(self, effects: FloatArray, scales: FloatArray) -> FloatArray:
        """Return the sum of a rating's effects, each times the scale of its term: ZΛv."""
        each = zip(self.codes, self.parts, scales, strict=True)
        found = [scale * effects[part][codes] for codes, part, scale in each]
        return np.asarray(sum(found), dtype=np.float64)

    def gathered(self, columns: FloatArray, scales: FloatArray) -> FloatArray:
        """Return sums of the columns over the ratings of each level, times scales: ΛZ'x."""
        flat = columns.reshape(len(columns), -1)
        blocks = [
            scale
            * np.column_stack([np.bincount(codes, own, size) for own in flat.T]).reshape(size, -1)
            for codes, size, scale in zip(self.codes, self.sizes, scales, strict=True)
        ]
        return np.concatenate(blocks).reshape(-1, *columns.shape[1:])

    def system(self, weights: FloatArray, scales: FloatArray) -> "CrossedSystem":
        """Factorise ΛZ'WZΛ + I."""
        return CrossedSystem(self, weights, scales)


class CrossedSystem:
    """The matrix ΛZ'WZΛ + I, eliminated term by term: outputs, segments, then annotators.

    Outputs lie within segments, so that the blocks of both stay diagonal and only annotators ×
    annotators are dense (Bates et al. 2015, section 3, with the pattern of this design).

    Parameters
    ----------
    crossing : Crossing
    weights : ndarray, shape (n_ratings,)
        The diagonal of W.
    scales : ndarray, shape (3,)
        Λ: the standard deviation of each term, zero for one that is not there.
    """

    def __init__(self, crossing: Crossing, weights: FloatArray, scales: FloatArray) -> None:
        self.crossing, self.scales = crossing, scales
        outputs, segments, annotators = crossing.sizes
        of_output, of_segment, of_annotator = scales
        own = np.bincount(crossing.output, weights, outputs)
        rows, columns, place = crossing.raters
        self._pair = of_output * of_annotator * np.bincount(place, weights, len(rows))
        self._rated = scipy.sparse.csr_array((self._pair, (rows, columns)), (outputs, annotators))
        self._up = of_output * of_segment * own
        self._outputs = 1 + of_output**2 * own
        sums = np.bincount(crossing.segment, weights, segments)
        lost = np.bincount(crossing.parent, self._up**2 / self._outputs, segments)
        self._segments = 1 + of_segment**2 * sums - lost
        met = crossing.segment * annotators + crossing.annotator
        between = np.bincount(met, weights, segments * annotators).reshape(segments, annotators)
        share = (self._up / self._outputs, (crossing.parent, np.arange(outputs)))
        folded = scipy.sparse.csr_array(share, (segments, outputs)) @ self._rated
        self._between = of_segment * of_annotator * between - folded.toarray()
        last = np.diag(1 + of_annotator**2 * np.bincount(crossing.annotator, weights, annotators))
        last -= (self._rated.T @ (self._rated / self._outputs[:, None])).toarray()
        last -= self._between.T @ (self._between / self._segments[:, None])
        self._annotators = np.linalg.cholesky(last)

    @cached_property
    def log_determinant(self) -> float:
        """Log of the determinant."""
        diagonal = np.diag(self._annotators)
        logs = np.log(self._outputs).sum() + np.log(self._segments).sum()
        return float(logs + 2 * np.log(diagonal).sum())

    def solve(self, right: FloatArray) -> FloatArray:
        """Return the solution for one or several right-hand sides."""
        columns = right.reshape(len(right), -1)
        first, second, third = (columns[part] for part in self.crossing.parts)
        parent = self.crossing.parent
        scaled = first / self._outputs[:, None]
        carried = [np.bincount(parent, own, len(second)) for own in (self._up[:, None] * scaled).T]
        second = second - np.column_stack(carried)
        third = (
            third - self._rated.T @ scaled - self._between.T @ (second / self._segments[:, None])
        )
        third = scipy.linalg.cho_solve((self._annotators, True), third)
        second = (second - self._between @ third) / self._segments[:, None]
        lifted = self._up[:, None] * second[parent] + self._rated @ third
        first = scaled - lifted / self._outputs[:, None]
        return np.concatenate([first, second, third]).reshape(right.shape)

    @cached_property
    def _inverse(self) -> tuple[FloatArray, ...]:
        """Return the blocks of the inverse that ratings touch (Takahashi et al. 1973)."""
        rows, columns, _ = self.crossing.raters
        parent = self.crossing.parent
        last = scipy.linalg.cho_solve((self._annotators, True), np.eye(len(self._annotators)))
        between = -(self._between @ last) / self._segments[:, None]
        segments = (1 - (self._between * between).sum(axis=1)) / self._segments
        along = np.bincount(rows, self._pair * between[parent[rows], columns], len(parent))
        up = -(self._up * segments[parent] + along) / self._outputs
        pair = self._up[rows] * between[parent[rows], columns] + self._met(last)
        pair = -pair / self._outputs[rows]
        crossed = self._up * up + np.bincount(rows, self._pair * pair, len(parent))
        return (1 - crossed) / self._outputs, segments, last, up, between, pair

    def _met(self, last: FloatArray) -> FloatArray:
        """Return rated @ last where an annotator rated an output, some outputs at a time."""
        rows, columns, _ = self.crossing.raters
        found = np.empty(len(rows))
        step = max(1, CELLS_IN_MEMORY // len(last))
        for start in range(0, self.crossing.sizes[0], step):
            here = slice(*np.searchsorted(rows, (start, start + step)))
            product = self._rated[start : start + step] @ last
            found[here] = product[rows[here] - start, columns[here]]
        return found

    @cached_property
    def inverse_diagonal(self) -> FloatArray:
        """Return the diagonal of the inverse."""
        outputs, segments, last, *_ = self._inverse
        return np.concatenate([outputs, segments, np.diag(last)])

    def predictor_variances(self) -> FloatArray:
        """Return the diagonal of ZΛ(ΛZ'WZΛ + I)⁻¹ΛZ', one entry a rating."""
        outputs, segments, last, up, between, pair = self._inverse
        output, segment, annotator = self.crossing.codes
        o, s, a = self.scales
        return np.asarray(
            o * o * outputs[output]
            + s * s * segments[segment]
            + a * a * np.diag(last)[annotator]
            + 2 * o * s * up[output]
            + 2 * o * a * pair[self.crossing.raters[2]]
            + 2 * s * a * between[segment, annotator]
        )


NEGLIGIBLE = 1e-5
"""A variance that gains less log-likelihood than this is zero."""
WITHIN = 9.0
"""Bound of log standard deviations while they are searched for."""
FIXED_WITHIN = 15.0
"""Bound of all other parameters."""
ITERATIONS, RESTARTS = 500, 5
FLAT = 1e-4
"""Slope of a criterion at which a search is near enough."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The random effects that a design can tell apart.

    Parameters
    ----------
    crossing : Crossing
        One level for a term that is not there.
    present : tuple of Term
    levels : mapping of str to int
        Levels of every term, also of those that are not there.
    confounded : Term or None
        A term whose effects cannot be told from those of systems.
    """

    crossing: Crossing
    present: tuple[Term, ...]
    levels: Mapping[str, int]
    confounded: Term | None


def chosen_terms(
    system: IntArray, annotator: IntArray, segment: IntArray, terms: Sequence[Term] = TERMS
) -> Chosen:
    """Say which random effects can be estimated alongside fixed effects of systems.

    A term needs more levels than its graph with the systems has parts, fewer levels than there are
    ratings, and other groups of ratings than a term before it has.
    """
    codes: dict[Term, IntArray] = {
        "segments": np.unique(segment, return_inverse=True)[1],
        "annotators": np.unique(annotator, return_inverse=True)[1],
        "outputs": np.unique(segment * (system.max() + 1) + system, return_inverse=True)[1],
    }
    levels: dict[str, int] = {term: int(each.max()) + 1 for term, each in codes.items()}
    present: list[Term] = []
    confounded: Term | None = None
    for term, each in codes.items():
        if term not in terms or levels[term] == len(system):
            continue
        parts = _parts(system, each)
        if levels[term] > parts:
            if not any(_same(each, codes[other]) for other in present):
                present.append(term)
        elif parts > 1:
            confounded = term
    kept = [codes[term] if term in present else np.zeros_like(system) for term in TERMS]
    return Chosen(Crossing(*kept), tuple(present), levels, confounded)


def _parts(system: IntArray, codes: IntArray) -> int:
    """Return the number of connected parts of the graph of systems and levels."""
    n = int(system.max()) + 1
    size = n + int(codes.max()) + 1
    links = scipy.sparse.coo_array((np.ones(len(system)), (system, n + codes)), (size, size))
    return int(scipy.sparse.csgraph.connected_components(links, directed=False)[0])


def _same(one: IntArray, other: IntArray) -> bool:
    """Whether two terms group the ratings alike."""
    width = int(other.max()) + 1
    both = np.unique(one * width + other).size
    return bool(both == one.max() + 1 == width)


Evaluate: TypeAlias = Callable[[FloatArray, FloatArray], tuple[float, FloatArray, FloatArray]]
"""Fixed parameters and scales to value, gradient, and gradient in log scales."""


@dataclass(frozen=True, slots=True)
class Minimum:
    """Where a criterion is lowest.

    Parameters
    ----------
    fixed : ndarray
    scales : ndarray, shape (3,)
        Zero for terms that are not there or whose variance is estimated as zero.
    value : float
    gradient : ndarray
        In the fixed parameters and the log scales that are not zero.
    positive : ndarray of bool, shape (3,)
    """

    fixed: FloatArray
    scales: FloatArray
    value: float
    gradient: FloatArray
    positive: BoolArray


def minimise(evaluate: Evaluate, fixed: npt.ArrayLike, present: Sequence[Term]) -> Minimum:
    """Minimise a criterion, here minus a log-likelihood, over fixed parameters and log scales.

    A term whose variance gains nothing is set to zero, and the others are fitted again.
    """
    start = np.asarray(fixed, dtype=np.float64)
    logs = np.zeros(len(TERMS))
    positive = np.array([term in present for term in TERMS])
    while True:
        value, start, logs, gradient = _searched(evaluate, start, logs, positive)
        scales = np.where(positive, np.exp(logs), 0.0)
        for term in np.flatnonzero(positive):
            without = np.where(np.arange(len(TERMS)) == term, 0.0, scales)
            if evaluate(start, without)[0] <= value + NEGLIGIBLE:
                positive[term] = False
                break
        else:
            return Minimum(start, scales, value, gradient, positive)


def _searched(
    evaluate: Evaluate, fixed: FloatArray, logs: FloatArray, positive: BoolArray
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    size = len(fixed)

    def objective(at: FloatArray) -> tuple[float, FloatArray]:
        scales = np.zeros(len(TERMS))
        scales[positive] = np.exp(at[size:])
        value, slopes, of_logs = evaluate(at[:size], scales)
        return value, np.concatenate([slopes, of_logs[positive]])

    start = np.concatenate([fixed, logs[positive]])
    if not len(start):
        return evaluate(fixed, np.zeros(len(TERMS)))[0], fixed, logs, start
    ends = np.repeat([FIXED_WITHIN, WITHIN], [size, int(positive.sum())])
    at = np.clip(start, -ends, ends)
    options = {"maxiter": ITERATIONS, "maxfun": 3 * ITERATIONS, "ftol": 1e-14, "gtol": 1e-6}
    for _ in range(RESTARTS):
        # A line search that fails ends it early at times; without its memory it goes on.
        found = scipy.optimize.minimize(
            objective,
            at,
            jac=True,
            method="L-BFGS-B",
            bounds=scipy.optimize.Bounds(-ends, ends),
            options=options,
        )
        at = found.x
        if np.abs(found.jac).max() < FLAT:
            break
    logs = logs.copy()
    logs[positive] = at[size:]
    return float(found.fun), at[:size], logs, np.asarray(found.jac)
