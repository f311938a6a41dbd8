"""Labels of items by raters, as counts that models read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from analysis.stats.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Labels:
    """Labels in long form; a rater may label an item several times.

    Parameters
    ----------
    item, rater, label : ndarray of int, shape (labels,)
        Numbers from 0.
    categories : int
        How many labels there are to choose from, given or not.

    Raises
    ------
    ValueError
        If the three are of different lengths, empty, or a number is out of range.
    """

    item: IntArray
    rater: IntArray
    label: IntArray
    categories: int

    def __post_init__(self) -> None:
        columns = self.item, self.rater, self.label
        if not self.item.size or len({column.shape for column in columns}) > 1:
            raise ValueError("every label has an item and a rater, and there is one at least")
        if min(column.min() for column in columns) < 0 or self.label.max() >= self.categories:
            raise ValueError("items, raters and labels are numbered from 0")

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.item.max()) + 1

    @property
    def raters(self) -> int:
        """How many raters there are."""
        return int(self.rater.max()) + 1

    @cached_property
    def counts(self) -> Any:
        """How often each rater gave each item each label: sparse, items × (raters × labels)."""
        columns = self.rater * self.categories + self.label
        shape = self.items, self.raters * self.categories
        return sparse.csr_array((np.ones(columns.size), (self.item, columns)), shape=shape)

    @cached_property
    def by_label(self) -> Any:
        """The counts the other way round: (raters × labels) × items."""
        return self.counts.T.tocsr()

    @cached_property
    def votes(self) -> FloatArray:
        """How often each item was given each label: items × labels."""
        return votes(self.item, self.label, self.items, self.categories)


def votes(
    item: npt.NDArray[np.int64], label: npt.NDArray[np.int64], items: int, categories: int
) -> FloatArray:
    """Count labels by item and label."""
    cells = np.bincount(item * categories + label, minlength=items * categories)
    return cells.reshape(items, categories).astype(np.float64)


def entropy(distributions: npt.ArrayLike) -> FloatArray:
    """Return the entropy of each row in bits; 0 where all agree.

    Examples
    --------
    >>> entropy([[1, 0], [2, 2]]).tolist()
    [0.0, 1.0]
    """
    table = np.asarray(distributions, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = table / table.sum(axis=1, keepdims=True)
        bits = np.where(shares > 0, shares * np.log2(shares), 0.0)
    found: FloatArray = np.abs(bits.sum(axis=1))
    return found
