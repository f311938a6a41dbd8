"""Porter's stems of English words (Porter 1980, with NLTK's extensions)."""

from __future__ import annotations

from functools import lru_cache


class Stems:
    """NLTK's stemmer, which is slow, with the stems of the words it met."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer

        self.stem = lru_cache(maxsize=100_000)(PorterStemmer().stem)
