"""Word vectors that the administrator lists: text files as GloVe and word2vec write them.

Messages name a file as the list does; they quote neither its path nor what is in it.
"""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from metrics.scorers.scorer import Unavailable
from metrics.weights.hashing import file_sha256
from metrics.weights.registered import WORD_VECTORS

_VECTORS, _WORDS = "vectors.f32", "words.txt"
_NUMBER: npt.DTypeLike = "<f4"
_FORMAT = "a word and its numbers, separated by single blanks, on each line"
_ENTRY = "a word and finite numbers, as many as the first line says"


class Vectors(NamedTuple):
    """Words and their vectors.

    Attributes
    ----------
    rows
        The row of each word, in small letters.
    vectors : ndarray, shape (words, size)
        Read-only.
    """

    rows: dict[str, int]
    vectors: npt.NDArray[np.float32]


def files(name: str) -> dict[str, Path]:
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


def load(name: str, cache: Path | None = None) -> Vectors:
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
    [path] = files(name).values()
    return _loaded(name, path, file_sha256(path), cache)


@lru_cache(maxsize=2)
def _loaded(name: str, path: Path, sha256: str, cache: Path | None) -> Vectors:
    if cache is None:
        with tempfile.TemporaryDirectory() as folder:
            _convert(name, path, Path(folder))
            return _read(Path(folder), mapped=False)
    kept = cache / f"word-vectors-{sha256[:16]}"
    if not kept.is_dir():
        _keep(name, path, kept)
    return _read(kept, mapped=True)


def _keep(name: str, path: Path, kept: Path) -> None:
    """Convert into a folder that appears whole or not at all."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=".word-vectors-", dir=kept.parent))
    try:
        _convert(name, path, unfinished)
        unfinished.rename(kept)
    except OSError:
        # Another process was quicker, or the disk is full.
        if not kept.is_dir():
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _read(folder: Path, *, mapped: bool) -> Vectors:
    words = (folder / _WORDS).read_text(encoding="utf-8").split("\n")
    path = folder / _VECTORS
    numbers = np.memmap(path, _NUMBER, mode="r") if mapped else np.fromfile(path, _NUMBER)
    vectors = numbers.reshape(len(words), -1)
    return Vectors(dict(zip(words, range(len(words)), strict=True)), vectors)


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
