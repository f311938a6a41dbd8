"""Drawing annotators anew within their batches, and human scores under each draw."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, IntArray, as_cube, ratio
from analysis.stats.resampling.bootstrap import Bootstrap

FEWEST_ANNOTATORS = 6
FEWEST_OF_A_PANEL = 2


def annotator_batches(ratings: npt.ArrayLike) -> IntArray:
    """Say which annotators stand in for each other: those who rated the same outputs.

    Annotators with an output in common, directly or through others, are one batch. Where somebody
    has none in common with anybody, there are no panels, and all annotators are one batch.

    Parameters
    ----------
    ratings : array_like, shape (segments, systems, annotators)
        NaN where missing.

    Returns
    -------
    ndarray of int, shape (annotators,)
    """
    from scipy.sparse.csgraph import connected_components

    values = np.asarray(ratings, dtype=np.float64)
    present = np.isfinite(values).reshape(-1, values.shape[2]).astype(np.float64)
    shared = present.T @ present
    _, batch = connected_components(shared > 0, directed=False)
    codes: IntArray = np.asarray(batch, dtype=np.int64)
    alone = codes.size and np.bincount(codes).min() < FEWEST_OF_A_PANEL
    return np.zeros_like(codes) if alone else codes


class RatedOutputs:
    """Ratings of every output by every annotator.

    Parameters
    ----------
    ratings : array_like, shape (segments, systems, annotators)
        NaN where missing. An annotator is drawn with all ratings, so that z-scores and ranks
        made anew within every drawn annotator are the same as before.
    batches : array_like of int, shape (annotators,), optional
        Annotators are drawn within their batch, so that no batch goes unrated. Default: one batch.

    Raises
    ------
    ValueError
        If there are not three dimensions, a rating is infinite, or batches do not fit.
    """

    def __init__(self, ratings: npt.ArrayLike, batches: npt.ArrayLike | None = None) -> None:
        values = as_cube(ratings)
        self.shape = values.shape[:2]
        self.annotators: int = values.shape[2]
        cells = values.reshape(-1, self.annotators)
        self.present = np.isfinite(cells)
        self.values = np.where(self.present, cells, 0.0)
        codes = np.zeros(self.annotators) if batches is None else np.asarray(batches)
        if codes.shape != (self.annotators,):
            raise ValueError("one batch per annotator is needed")
        _, self.batch = np.unique(codes, return_inverse=True)

    def human_scores(self, weights: FloatArray) -> FloatArray:
        """Return the mean rating of each output under each weighting of annotators.

        Parameters
        ----------
        weights : ndarray, shape (draws, annotators)

        Returns
        -------
        ndarray, shape (draws, segments, systems)
            NaN where no weighted annotator rated the output.
        """
        counts = weights @ self.present.T.astype(np.float64)
        return ratio(weights @ self.values.T, counts).reshape(-1, *self.shape)

    def draws(self, bootstrap: Bootstrap) -> Iterator[FloatArray]:
        """Yield blocks of weights (draws × annotators): how often each annotator was drawn."""
        generator = np.random.default_rng([bootstrap.seed, 1])
        members: list[IntArray] = [
            np.flatnonzero(self.batch == batch) for batch in range(self.batch.max() + 1)
        ]
        block = max(1, CELLS_IN_MEMORY // max(1, self.present.shape[0]))
        for start in range(0, bootstrap.resamples, block):
            size = min(block, bootstrap.resamples - start)
            weights = np.zeros((size, self.annotators))
            for batch in members:
                even = np.full(batch.size, 1 / batch.size)
                weights[:, batch] = generator.multinomial(batch.size, even, size=size)
            yield weights

    def without_each(self) -> Iterator[FloatArray]:
        """Yield weights (1 × annotators) with one annotator left out at a time."""
        for left_out in range(self.annotators):
            weights = np.ones((1, self.annotators))
            weights[0, left_out] = 0.0
            yield weights
