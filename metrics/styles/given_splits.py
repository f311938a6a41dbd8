"""A model trained on the training split of a study, which is asked about other segments only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence

import numpy as np

from metrics.scorers.scorer import Classifier, Floats


class TrainedOnSplit:
    """A model with the segments that it was trained on, or chosen by.

    Parameters
    ----------
    model
        Its prediction of a text depends on the text alone.
    seen
        Segments of which it has seen texts. It says nothing about these: its answers are NaN.
    """

    def __init__(self, model: Classifier, seen: Collection[int]) -> None:
        self.model = model
        self.seen = frozenset(seen)

    @property
    def styles(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.model.styles

    @property
    def sha256(self) -> str:
        """Hash of the model and of the segments that it has seen."""
        content = [self.model.sha256, sorted(self.seen)]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def predict(self, texts: Sequence[str], segments: Sequence[int]) -> Floats:
        """Return texts × styles, NaN for texts of segments that the model has seen."""
        if len(texts) != len(segments):
            raise ValueError(f"{len(texts)} texts, but {len(segments)} segments")
        asked = [row for row, segment in enumerate(segments) if segment not in self.seen]
        predicted = np.full((len(texts), len(self.styles)), np.nan)
        predicted[asked] = self.model.predict(
            [texts[row] for row in asked], [segments[row] for row in asked]
        )
        return predicted
