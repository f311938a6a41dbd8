"""A classifier that is asked about each text once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
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
        self._known: OrderedDict[bytes, Floats] = OrderedDict()
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
        keys = [_key(text) for text in texts]
        with self._lock:
            found = {key: self._known[key] for key in set(keys) & self._known.keys()}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            predicted = self.classifier.predict(list(new.values()), [0] * len(new))
            # Copies: a row would keep the predictions of all texts in memory.
            found.update(zip(new, (row.copy() for row in predicted), strict=True))
        with self._lock:
            for key in dict.fromkeys(keys):
                self._known[key] = found[key]
                self._known.move_to_end(key)
            while len(self._known) > self.most:
                self._known.popitem(last=False)
        return np.stack([found[key] for key in keys])


def _key(text: str) -> bytes:
    """Return what stands for a text, so that long ones take no more memory than short ones."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
