"""Algebra of crossed random effects: of outputs, segments and annotators."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
import scipy

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, IntArray

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

    def system(self, weights: FloatArray, scales: FloatArray) -> CrossedSystem:
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
