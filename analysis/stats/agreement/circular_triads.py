"""Whether pairwise preferences fit an order: circular triads (Kendall and Babington Smith)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap, interval_of_ratio
from analysis.stats.resampling.proportions import at_the_edge
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

Ties = Literal["left-out", "at-random"]


@dataclass(frozen=True, slots=True)
class TriadCounts:
    """Triads of each block of preferences.

    Parameters
    ----------
    blocks : ndarray of int
        Block (segment) that the others refer to; once for each rater where raters are joined.
    triads : ndarray
        Triads all three pairs of which were judged, without those left out.
    circular : ndarray
        How many of them are circular: A over B, B over C, C over A.
    tied : ndarray
        Triads with a tie that were left out.
    worst : ndarray
        The most circular triads that a complete tournament of as many objects can have; NaN
        where a pair of the block was not judged, or is a tie that is left out.
    """

    blocks: IntArray
    triads: FloatArray
    circular: FloatArray
    tied: FloatArray
    worst: FloatArray


def count_triads(
    blocks: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    preferred: npt.ArrayLike,
    *,
    ties: Ties = "left-out",
) -> TriadCounts:
    """Count the triads of preferences between objects, block by block.

    A block is what one rater judged of one segment; preferences of two blocks form no triad.

    Parameters
    ----------
    blocks : array_like of int, shape (judgements,)
    first, second : array_like of int, shape (judgements,)
        The objects (systems) that were compared.
    preferred : array_like, shape (judgements,)
        1 the first, −1 the second, 0 a tie. The last judgement of a pair counts.
    ties : {"left-out", "at-random"}
        A triad with a tie is left out and counted apart; or each tie is broken at random, and the
        count is the expected number of circular triads.

    Returns
    -------
    TriadCounts
        Blocks with fewer than three objects hold no triad and are absent.

    Raises
    ------
    ValueError
        If the rule for ties is unknown or a preference is not −1, 0 or 1.
    """
    if ties not in get_args(Ties):
        raise ValueError(f"unknown rule for ties: {ties}")
    block, one, other = (np.asarray(each, dtype=np.int64) for each in (blocks, first, second))
    answer = np.asarray(preferred, dtype=np.float64)
    if not np.isin(answer, [-1, 0, 1]).all():
        raise ValueError("preferences are −1, 0 or 1")
    return _counted(_Preferences.of(block, one, other, answer), ties)


def joined(raters: Sequence[TriadCounts]) -> TriadCounts:
    """Return the counts of several raters together; no triad is of two raters."""
    none = np.empty(0)
    return TriadCounts(
        np.concatenate([np.empty(0, dtype=np.int64), *(each.blocks for each in raters)]),
        *(
            np.concatenate([none, *(getattr(each, name) for each in raters)])
            for name in ("triads", "circular", "tied", "worst")
        ),
    )


def most_circular(objects: int) -> float:
    """Return the most circular triads that a complete tournament can have.

    Examples
    --------
    >>> most_circular(3), most_circular(4), most_circular(7)
    (1.0, 2.0, 14.0)
    """
    return (objects**3 - objects * (1 if objects % 2 else 4)) / 24


def share_of_circular_triads(
    counts: TriadCounts, *, ties: Ties = "left-out", bootstrap: Bootstrap = STANDARD_BOOTSTRAP
) -> Result:
    """Return circular triads over all triads; 0 fits an order, 1/4 is chance.

    Parameters
    ----------
    counts : TriadCounts
    ties : {"left-out", "at-random"}
        The rule under which they were counted.
    bootstrap : Bootstrap
        Segments are drawn, all triads of a segment together.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts triads.
    """
    name = signature("circular-triads", ties=ties, **bootstrap.variant("segments"))
    total = float(counts.triads.sum())
    left_out = {"triads_with_a_tie": int(counts.tied.sum())}
    if total == 0:
        reason = "nobody judged all three pairs of three outputs of one segment"
        if left_out["triads_with_a_tie"]:
            reason += " without a tie"
        return Undefined(reason, unit="triads", signature=name, details=left_out)
    return _ratio(counts, counts.circular, counts.triads, name, bootstrap, total, left_out)


def coefficient_of_consistence(
    counts: TriadCounts, *, ties: Ties = "left-out", bootstrap: Bootstrap = STANDARD_BOOTSTRAP
) -> Result:
    """Return zeta of Kendall and Babington Smith (1940) over complete tournaments.

    ζ = 1 − Σ d / Σ d_max, with d the circular triads of a tournament and d_max the most that one
    of n objects can have: (n³ − n) / 24 for odd n, (n³ − 4n) / 24 for even n. 1 is a perfect
    order, 0 the least possible consistence. With three objects chance alone gives 0.75.

    Parameters
    ----------
    counts : TriadCounts
    ties : {"left-out", "at-random"}
        The rule under which they were counted; a tournament with a tie that is left out is not
        complete.
    bootstrap : Bootstrap
        Segments are drawn.

    Returns
    -------
    Estimate or Undefined
        ``n`` counts tournaments.
    """
    name = signature("coefficient-of-consistence", ties=ties, **bootstrap.variant("segments"))
    complete = np.isfinite(counts.worst)
    whole = {"incomplete_tournaments": int((~complete).sum())}
    if not complete.any():
        reason = "no rater judged every pair of at least three outputs of a segment"
        return Undefined(reason, unit="tournaments", signature=name, details=whole)
    worst = np.where(complete, counts.worst, 0.0)
    consistent = np.where(complete, counts.worst - counts.circular, 0.0)
    return _ratio(
        counts, consistent, worst, name, bootstrap, float(complete.sum()), whole, "tournaments"
    )


def _ratio(
    counts: TriadCounts,
    above: FloatArray,
    below: FloatArray,
    name: str,
    bootstrap: Bootstrap,
    n: float,
    details: dict[str, int],
    unit: str = "triads",
) -> Estimate:
    interval, facts = interval_of_ratio(above, below, counts.blocks, bootstrap)
    segments, share = np.unique(counts.blocks).size, float(above.sum() / below.sum())
    if segments > 1:
        interval = at_the_edge(share, segments, bootstrap.level, over="segments") or interval
    return Estimate(
        share,
        n=round(n),
        unit=unit,
        signature=name,
        interval=interval,
        details={**details, "segments": segments, **facts},
    )


@dataclass(frozen=True, slots=True)
class _Preferences:
    """Preferences of all blocks in one sparse matrix: a node is an object of a block.

    A win is 1, a tie half a win to either; `judged` has 1 both ways for each judged pair.
    """

    blocks: IntArray
    of_node: IntArray
    wins: Any
    judged: Any

    @classmethod
    def of(
        cls, block: IntArray, one: IntArray, other: IntArray, answer: FloatArray
    ) -> "_Preferences":
        size = int(max(one.max(initial=0), other.max(initial=0))) + 1
        ends = np.concatenate([block * size + one, block * size + other])
        objects, nodes = np.unique(ends, return_inverse=True)
        blocks, of_node = np.unique(objects // size, return_inverse=True)
        left, right = nodes[: block.size], nodes[block.size :]
        # The last judgement of a pair counts.
        low, high = np.minimum(left, right), np.maximum(left, right)
        _, newest = np.unique((low * objects.size + high)[::-1], return_index=True)
        kept = block.size - 1 - newest
        left, right, answer = left[kept], right[kept], answer[kept]
        rows, columns = np.concatenate([left, right]), np.concatenate([right, left])
        shape = (objects.size, objects.size)
        share = np.concatenate([(answer + 1) / 2, (1 - answer) / 2])
        return cls(
            blocks,
            of_node,
            scipy.sparse.csr_array((share, (rows, columns)), shape=shape),
            scipy.sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=shape),
        )

    def closed_walks(self, matrix: Any) -> FloatArray:
        """Return the closed walks of three steps in each block."""
        of_node = np.asarray(((matrix @ matrix) * matrix.T.tocsr()).sum(axis=1)).ravel()
        total = np.bincount(self.of_node, of_node, minlength=self.blocks.size)
        return np.asarray(total, dtype=np.float64)


def _counted(given: _Preferences, ties: Ties) -> TriadCounts:
    every = given.closed_walks(given.judged) / 6
    wins, strict = given.wins, given.judged
    if ties == "left-out":
        wins = wins.multiply(wins == 1).tocsr()
        strict = (wins + wins.T).tocsr()
    triads = given.closed_walks(strict) / 6
    objects = np.bincount(given.of_node, minlength=given.blocks.size)
    judged = np.asarray(strict.sum(axis=1)).ravel()
    pairs = np.bincount(given.of_node, judged, minlength=given.blocks.size) / 2
    complete = pairs == objects * (objects - 1) / 2
    worst = np.array([most_circular(int(n)) for n in objects], dtype=np.float64)
    large = objects >= 3
    return TriadCounts(
        given.blocks[large],
        triads[large],
        given.closed_walks(wins)[large] / 3,
        (every - triads)[large],
        np.where(complete, worst, np.nan)[large],
    )
