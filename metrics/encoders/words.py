"""Word vectors of a text: how it falls into words, and what becomes of unknown ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from metrics.weights import glove, text_vectors

TOKENISATION = (
    "Small letters; placeholders in square brackets, such as [STYLE], are left out; words are "
    "letters and digits, joined inside by single apostrophes, hyphens, points or commas, and "
    "abbreviations such as u.s.; n't, 's, 'm, 're, 've, 'll and 'd are words of their own, as "
    "where GloVe was trained; every other sign is a word, runs of points are one. A word without a "
    "vector is taken in the parts between what joins it; a part that has none is left out."
)
"""For the docs of metrics on word vectors."""
_ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "…": "..."})
_PLACEHOLDER = re.compile(r"\[[^\W\d_]+\]")
_CLITICS = "'(?:s|m|re|ve|ll|d)\\b"
_WORD = re.compile(
    rf"n't\b|{_CLITICS}"
    r"|(?:[^\W\d_]\.){2,}"  # u.s., a.m.
    r"|[^\W_]+?(?=n't\b)"
    rf"|[^\W_]+(?:(?!{_CLITICS})[-.,'][^\W_]+)*"
    r"|\.{2,}|\S"
)
_JOINTS = re.compile(r"[-.,']")


class WordVectors:
    """Vectors by word.

    Parameters
    ----------
    rows
        The row of each small-letter word.
    vectors : ndarray, shape (words, size)
    """

    def __init__(self, rows: Mapping[str, int], vectors: npt.NDArray[np.float32]) -> None:
        self.rows = rows
        self.vectors = vectors

    def words(self, text: str) -> list[str]:
        """Return the words of a text that have vectors, in their order.

        Examples
        --------
        >>> glove_vectors().words("I don't [STYLE] well-madeish 12,5 GARDENS...")
        ['i', 'do', "n't", 'well', '12', '5', 'gardens', '...']
        """
        return [
            known
            for word in split(text)
            for known in ([word] if word in self.rows else _JOINTS.split(word))
            if known in self.rows
        ]

    def places(self, text: str) -> npt.NDArray[np.int64]:
        """Return the rows of a text's words, in their order."""
        return np.array([self.rows[word] for word in self.words(text)], dtype=np.int64)

    def at(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return words × size."""
        return np.asarray(self.vectors[places], dtype=np.float64)


def split(text: str) -> list[str]:
    """Return all words of a text, with vectors or without; see `TOKENISATION`.

    Examples
    --------
    >>> split("They're OK, can't [MASK] it!!")
    ['they', "'re", 'ok', ',', 'ca', "n't", 'it', '!', '!']
    """
    plain = _PLACEHOLDER.sub(" ", text.translate(_ALIKE)).lower()
    return _WORD.findall(plain)


@cache
def glove_vectors() -> WordVectors:
    """Return GloVe's vectors.

    Raises
    ------
    Unavailable
        If they are not installed.
    """
    return WordVectors(*glove.load())


def word_vectors(name: str, kept_in: Path | None = None) -> WordVectors:
    """Return vectors by name: `glove`, or a name that the administrator lists.

    Parameters
    ----------
    name
        See `metrics.weights.text_vectors.load`.
    kept_in
        Folder in which vectors of a text file are kept once read.

    Raises
    ------
    Unavailable
        If they are not on this machine, or the file is something else.
    """
    if name == glove.NAME:
        return glove_vectors()
    return WordVectors(*text_vectors.load(name, kept_in))


def vector_files(name: str) -> dict[str, Path]:
    """Return the files of the vectors of a name; raises `Unavailable`."""
    return glove.files() if name == glove.NAME else text_vectors.files(name)
