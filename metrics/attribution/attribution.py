"""What Integrated Gradients say of one text: a number for each word piece, with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Pieces: TypeAlias = npt.NDArray[Any]

PIECE = np.dtype([("start", "<i4"), ("end", "<i4"), ("is_special", "?"), ("value", "<f8")])
"""Start and end in the text (0 and 0 for special tokens), whether special, attribution."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """Attributions of one text for one column of a classifier.

    Attributes
    ----------
    column
        The classifier's column whose logit was attributed.
    pieces : structured ndarray, `PIECE`
        Every word piece that the classifier reads, special tokens included.
    logits : ndarray, shape (columns,)
        Of the text.
    baseline_logit
        Of the baseline, in the attributed column.
    left_out
        Number of word pieces beyond what the classifier can read.
    """

    column: int
    pieces: Pieces
    logits: Floats = field(repr=False)
    baseline_logit: float
    left_out: int = 0

    @property
    def convergence_error(self) -> float:
        """How far the attributions' sum is from the difference of logits that it must equal."""
        difference = self.logits[self.column] - self.baseline_logit
        return float(abs(self.pieces["value"].sum() - difference))

    @property
    def probabilities(self) -> Floats:
        """The classifier's distribution over its columns (softmax)."""
        exponentials = np.exp(self.logits - self.logits.max())
        return np.asarray(exponentials / exponentials.sum())

    @property
    def limit_reason(self) -> str:
        """Why words cannot be chosen by these attributions; empty if they can."""
        if not self.left_out:
            return ""
        read = len(self.pieces)
        return (
            f"too long: the style classifier reads {read} word pieces, the text has "
            f"{read + self.left_out}; what comes after has no attribution"
        )
