"""Scorers that read many texts at once and then compare them in pairs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, TypeVar
from unicodedata import category

import numpy as np

from metrics.scorers.comparing import EMPTY_COMPARED, EMPTY_OUTPUT, NOTHING_TO_COMPARE
from metrics.scorers.scorer import Floats, Scorer, Scores, Texts

Read = TypeVar("Read")
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


class ReadTogetherScorer(Scorer, Generic[Read]):
    """Reads texts together, each once; of several references the best counts, or the mean.

    What has nothing to compare in it is left out among several references.
    """

    rows_together: ClassVar[int] = 1024
    """Outputs whose readings are in memory at the same time."""
    reads_blank_outputs: ClassVar[bool] = False
    """Whether the model reads an output with nothing in it like any other."""
    of_blank_output: ClassVar[Sequence[float]] = ()
    """Fields of such an output, where the metric's library defines them without reading it."""

    @abstractmethod
    def read(self, texts: Sequence[str]) -> Mapping[str, Read]:
        """Return what is compared of different, not blank texts; those with nothing are absent."""

    @abstractmethod
    def pair(self, output: Read, compared: Read) -> Sequence[float]:
        """Return the fields of one text against another."""

    def fault(self, text: str) -> str:
        """Return what a text has that is not blank and was not read: ``no word with a vector``."""
        return "nothing that can be compared"

    def score(self, texts: Texts) -> Scores:
        """Read texts and compare them; see `Scorer.score`."""
        values = np.full((len(texts), len(self.fields)), np.nan)
        undefined: dict[int, str] = {}
        for start in range(0, len(texts), self.rows_together):
            rows = range(start, min(start + self.rows_together, len(texts)))
            read = self.read(self._texts_to_read(texts, rows))
            for row in rows:
                text, against = texts.outputs[row], texts.against[row]
                compared = [read[each] for each in against if each in read and not is_blank(each)]
                if text in read and compared:
                    output = read[text]
                    values[row] = self._summed_up([self.pair(output, each) for each in compared])
                elif compared and self.of_blank_output and is_blank(text):
                    values[row] = self.of_blank_output
                else:
                    undefined[row] = self._reason(texts.outputs[row], texts.against[row], read)
        return Scores(values, undefined)

    def _texts_to_read(self, texts: Texts, rows: range) -> list[str]:
        """Return the different texts of some rows, in their order, blank ones only if asked for."""
        found: dict[str, None] = {}
        for row in rows:
            if self.reads_blank_outputs or not is_blank(texts.outputs[row]):
                found[texts.outputs[row]] = None
            found |= dict.fromkeys(each for each in texts.against[row] if not is_blank(each))
        return list(found)

    def _summed_up(self, pairs: Sequence[Sequence[float]]) -> Floats:
        scores = np.array(pairs, dtype=np.float64)
        if self.parameters["references"] == "mean":
            return np.asarray(scores.mean(axis=0))
        return np.asarray(
            scores.min(axis=0) if self.spec.orientation == "lower" else scores.max(axis=0)
        )

    def _reason(self, output: str, against: tuple[str, ...], read: Mapping[str, Read]) -> str:
        if not against:
            return NOTHING_TO_COMPARE
        faulty = [each for each in against if not is_blank(each)]
        if not any(each in read for each in faulty):
            what = "what it is compared with"
            return f"{what} has {self.fault(faulty[0])}" if faulty else EMPTY_COMPARED
        return EMPTY_OUTPUT if is_blank(output) else f"the output has {self.fault(output)}"


def is_blank(text: str) -> bool:
    """Return whether a text has nothing but white space, controls and invisible signs.

    Examples
    --------
    >>> is_blank(" \u200b"), is_blank(".")
    (True, False)
    """
    return all(category(sign) in _INVISIBLE for sign in text)


def bounded(cosine: float) -> float:
    """Return a cosine without what rounding alone adds beyond 1 and −1."""
    return max(-1.0, min(1.0, cosine))
