"""A classifier that is asked about each text once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from metrics.scorers.scorer import Classifier, Floats

MOST_TEXTS = 100_000


class Remembered:
    """A classifier whose predictions are kept, so that several metrics cost one prediction.

    Parameters
    ----------
    classifier
        Its prediction of a text depends on the text alone: not a cross-fitted one, whose models
        are remembered one by one.
    most
        How many texts are kept; those asked for longest ago are forgotten first.
    """

    def __init__(self, classifier: Classifier, most: int = MOST_TEXTS) -> None:
        self.classifier = classifier
        self.most = most
        self._known: OrderedDict[str, Floats] = OrderedDict()
        self._lock = Lock()

    @property
    def styles(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.classifier.styles

    @property
    def sha256(self) -> str:
        """Hash of all that predictions depend on."""
        return self.classifier.sha256

    def predict(self, texts: Sequence[str], segments: Sequence[int] = ()) -> Floats:
        """Return texts × styles; only texts that are not known yet are predicted."""
        if not texts:
            return np.empty((0, len(self.styles)))
        with self._lock:
            found = {text: self._known[text] for text in set(texts) & self._known.keys()}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            found |= zip(new, self.classifier.predict(new, [0] * len(new)), strict=True)
        with self._lock:
            for text in dict.fromkeys(texts):
                self._known[text] = found[text]
                self._known.move_to_end(text)
            while len(self._known) > self.most:
                self._known.popitem(last=False)
        return np.stack([found[text] for text in texts])
