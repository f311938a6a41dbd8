"""N-gram models with back-off: how likely words are after other words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
NATURAL = math.log(10)
"""Natural logarithm of ten: n-gram models are written with logarithms to base 10."""
Ngram: TypeAlias = tuple[str, ...]


class Entry(NamedTuple):
    """Logarithms to base 10 of an n-gram's probability and of its weight as a context."""

    probability: float
    backoff: float


@dataclass(frozen=True)
class NgramModel:
    """An n-gram model as ARPA files hold it.

    Attributes
    ----------
    tables
        N-grams of each order, from unigrams; unigrams include the start and end symbols and the
        unknown word.
    """

    tables: tuple[Mapping[Ngram, Entry], ...]

    @property
    def order(self) -> int:
        """Length of the longest n-gram."""
        return len(self.tables)

    def log10(self, context: Sequence[str], word: str) -> float:
        """Return log₁₀ P(word | context) by back-off.

        Of the context the last words count that the order allows. A word that is not in the
        vocabulary is the unknown word, as a context too.
        """
        known = tuple(self._known(each) for each in (*context[-(self.order - 1) :], word))
        backoff = 0.0
        for start in range(len(known)):
            ngram = known[start:]
            if found := self.tables[len(ngram) - 1].get(ngram):
                return backoff + found.probability
            shorter = self.tables[len(ngram) - 2].get(ngram[:-1])
            backoff += shorter.backoff if shorter else 0.0
        raise AssertionError("unigrams hold the unknown word")

    def negative_log_likelihood(self, words: Sequence[str]) -> float:
        """Return −ln P of a sentence of these words, its end symbol included."""
        padded = (START, *words, END)
        logarithms = (self.log10(padded[:place], padded[place]) for place in range(1, len(padded)))
        return -NATURAL * math.fsum(logarithms)

    def _known(self, word: str) -> str:
        return word if (word,) in self.tables[0] else UNKNOWN
