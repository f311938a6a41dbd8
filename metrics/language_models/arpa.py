"""N-gram models as ARPA files, the text format of SRILM, KenLM and others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from metrics.language_models.ngram import START, UNKNOWN, Entry, Ngram, NgramModel

_COUNT = re.compile(r"ngram (\d+)=(\d+)")


class ArpaError(ValueError):
    """A file that is no ARPA file; the message says where and what was expected."""


def write_arpa(model: NgramModel, path: Path) -> None:
    """Write a model, n-grams in the order of their words, so that equal models give equal files."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\\data\\\n")
        for length, table in enumerate(model.tables, start=1):
            file.write(f"ngram {length}={len(table)}\n")
        for length, table in enumerate(model.tables, start=1):
            file.write(f"\n\\{length}-grams:\n")
            for ngram in sorted(table):
                file.write(_line(ngram, table[ngram], length < model.order))
        file.write("\n\\end\\\n")


def read_arpa(path: Path) -> NgramModel:
    """Read a model.

    Raises
    ------
    ArpaError
        If the file is none, is cut off, or lacks the start symbol or the unknown word.
    """
    with path.open(encoding="utf-8", newline="\n") as file:
        lines = enumerate((line.rstrip("\r\n") for line in file), start=1)
        sizes = _sizes(path, lines)
        tables = [_table(path, lines, length, size) for length, size in enumerate(sizes, start=1)]
    for symbol in (START, UNKNOWN):
        if (symbol,) not in tables[0]:
            raise ArpaError(f"{path.name}: its unigrams have no {symbol}")
    return NgramModel(tuple(tables))


def _line(ngram: Ngram, entry: Entry, has_longer: bool) -> str:
    backoff = f"\t{entry.backoff:.7f}" if has_longer and entry.backoff else ""
    return f"{entry.probability:.7f}\t{' '.join(ngram)}{backoff}\n"


def _sizes(path: Path, lines: Iterator[tuple[int, str]]) -> list[int]:
    """Read the head; leave the lines at the heading of the unigrams."""
    if all(line != "\\data\\" for _, line in lines):
        raise ArpaError(f"{path.name}: no line says \\data\\; is it an ARPA file?")
    sizes: list[int] = []
    for number, line in lines:
        if line == "\\1-grams:" and len(sizes) > 1:
            return sizes
        found = _COUNT.fullmatch(line)
        if line and (not found or int(found[1]) != len(sizes) + 1):
            raise ArpaError(f"{path.name}, line {number}: expected ngram {len(sizes) + 1}=…")
        if found:
            sizes.append(int(found[2]))
    raise ArpaError(f"{path.name}: it ends before its unigrams")


def _table(
    path: Path, lines: Iterator[tuple[int, str]], length: int, size: int
) -> dict[Ngram, Entry]:
    """Read the n-grams of one length, and the heading of the next."""
    table: dict[Ngram, Entry] = {}
    for number, line in lines:
        if line.startswith("\\") and line in (f"\\{length + 1}-grams:", "\\end\\"):
            break
        if not line:
            continue
        probability, _, rest = line.partition("\t")
        words, _, backoff = rest.partition("\t")
        ngram = tuple(words.split(" "))
        try:
            entry = Entry(float(probability), float(backoff or 0))
        except ValueError:
            entry = None
        if entry is None or len(ngram) != length:
            raise ArpaError(
                f"{path.name}, line {number}: expected a logarithm, a tab and {length} words"
            )
        table[ngram] = entry
    if len(table) != size:
        raise ArpaError(f"{path.name}: {len(table)} n-grams of length {length}, expected {size}")
    return table
