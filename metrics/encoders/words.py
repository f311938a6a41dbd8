"""Word vectors of a text: read from files, found by word, and how texts fall into words.

Messages name a file as the administrator's list does; they quote neither its path nor its content.
"""

import gzip
import os
import re
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Unavailable
from metrics.weights import glove
from metrics.weights.files import file_sha256, written_once
from metrics.weights.registered import WORD_VECTORS

_VECTORS, _WORDS = "vectors.f32", "words.txt"
_NUMBER: npt.DTypeLike = "<f4"
_FORMAT = "a word and its numbers, separated by single blanks, on each line"
_ENTRY = "a word and finite numbers, as many as the first line says"


def listed_files(name: str) -> dict[str, Path]:
    """Return the file that a name is listed for, by the file's own name.

    Raises
    ------
    Unavailable
        If the name is not listed, or there is no such file.
    """
    place = WORD_VECTORS.place(name)
    if place is None:
        raise Unavailable(
            f"word vectors {name!r} are not on the list of this server: name glove; the "
            f"administrator lists others in {WORD_VECTORS.variable}"
        )
    if not (os.path.isfile(place) and os.access(place, os.R_OK)):
        raise Unavailable(
            f"word vectors {name!r}: their file is not there or cannot be read; the administrator "
            f"names in {WORD_VECTORS.variable} a text file with {_FORMAT}"
        )
    path = Path(place)
    return {path.name: path.resolve()}


def listed_vectors(name: str, cache: Path | None = None) -> "WordVectors":
    """Return the vectors of a text file, packed or as it is.

    Parameters
    ----------
    name
        As listed. The file has GloVe's format, or word2vec's with its first line of two counts;
        also gzipped. Of words that differ by capitals the first is kept, for files begin with
        what is frequent.
    cache
        Folder in which the vectors are kept once read, so that they need not be read again and
        only what is used comes into memory; None: read into memory.

    Raises
    ------
    Unavailable
        If there is no such file, or it is something else; the message names the line.
    """
    [path] = listed_files(name).values()
    return _loaded(name, path, file_sha256(path), cache)


@lru_cache(maxsize=2)
def _loaded(name: str, path: Path, sha256: str, cache: Path | None) -> "WordVectors":
    if cache is None:
        with tempfile.TemporaryDirectory() as folder:
            _convert(name, path, Path(folder))
            return _read(Path(folder), mapped=False)
    kept = written_once(cache / f"word-vectors-{sha256[:16]}", partial(_convert, name, path))
    return _read(kept, mapped=True)


def _read(folder: Path, *, mapped: bool) -> "WordVectors":
    words = (folder / _WORDS).read_text(encoding="utf-8").split("\n")
    path = folder / _VECTORS
    numbers = np.memmap(path, _NUMBER, mode="r") if mapped else np.fromfile(path, _NUMBER)
    vectors = numbers.reshape(len(words), -1)
    return WordVectors(dict(zip(words, range(len(words)), strict=True)), vectors)


def _convert(name: str, path: Path, folder: Path) -> None:
    known: dict[str, None] = {}
    with (folder / _VECTORS).open("wb") as packed:
        for word, vector in _entries(name, path):
            if word not in known:
                known[word] = None
                packed.write(vector.tobytes())
    (folder / _WORDS).write_text("\n".join(known), encoding="utf-8")


def _entries(name: str, path: Path) -> Iterator[tuple[str, npt.NDArray[np.float32]]]:
    """Yield the words of a file in small letters with their vectors."""
    number, size, promised, count = 0, 0, None, 0
    try:
        with _opened(path) as file:
            ends_off = (line.rstrip("\r\n").rstrip(" ") for line in file)
            lines: Iterator[tuple[int, str]] = enumerate(ends_off, 1)
            number, first = next(lines, (1, ""))
            if (header := first.split(" ")) and len(header) == 2 and all(map(_is_count, header)):
                promised, size = map(int, header)
            else:
                size = len(header) - 1
                lines = chain([(1, first)], lines)
            if size < 1:
                raise _wrong(name, 1, _FORMAT)
            for number, line in lines:
                yield _entry(name, number, line, size)
                count += 1
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError, zlib.error):
        raise Unavailable(
            f"word vectors {name!r}: after line {number} the file is no text in UTF-8; of "
            "word2vec's two formats only the text is read here"
        ) from None
    if promised is not None and promised != count:
        raise Unavailable(
            f"word vectors {name!r}: the first line promises another number of words than follow: "
            "is the file whole?"
        )


def _entry(name: str, number: int, line: str, size: int) -> tuple[str, npt.NDArray[np.float32]]:
    # From the right: some words have blanks in them.
    word, *numbers = line.rsplit(" ", size)
    try:
        vector = np.array(numbers, dtype=_NUMBER)
    except ValueError:
        raise _wrong(name, number, _ENTRY) from None
    if len(numbers) != size or not word or not np.isfinite(vector).all():
        raise _wrong(name, number, _ENTRY)
    return word.lower(), vector


def _opened(path: Path) -> IO[str]:
    # Words hold every sign that Python may take for the end of a line but this one.
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", newline="\n")
    return path.open(encoding="utf-8", newline="\n")


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _wrong(name: str, number: int, expected: str) -> Unavailable:
    return Unavailable(f"word vectors {name!r}, line {number}: expected {expected}")


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


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors by word.

    Parameters
    ----------
    rows
        The row of each small-letter word.
    vectors : ndarray, shape (words, size)
    """

    rows: Mapping[str, int]
    vectors: npt.NDArray[np.float32]

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
        See `listed_vectors`.
    kept_in
        Folder in which vectors of a text file are kept once read.

    Raises
    ------
    Unavailable
        If they are not on this machine, or the file is something else.
    """
    if name == glove.NAME:
        return glove_vectors()
    return listed_vectors(name, kept_in)


def vector_files(name: str) -> dict[str, Path]:
    """Return the files of the vectors of a name; raises `Unavailable`."""
    return glove.files() if name == glove.NAME else listed_files(name)
