"""Plain files with one text per line, read side by side."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.tabular.limits import Limits
from corpus.tabular.opening.dialects import Dialect
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.text_files import encoding_of, texts
from corpus.tabular.problems import refused


def aligned_columns(source: SourceFile) -> tuple[str, ...]:
    """Return the columns of a text file and its companions."""
    names = [f"text {n}" for n in range(2, len(source.companions) + 2)]
    return ("line", "text", *names)


def aligned_rows(
    source: SourceFile, dialect: Dialect, limits: Limits
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line, and a row of it as a key, its text, and its companions'.

    Texts come without their line end and otherwise as they are; a final line break makes no
    further text. Of the dialect only the encoding matters. `plan_lines` has checked that all
    files are equally long.
    """
    found = (_texts(file, dialect, limits) for file in (source, *source.companions))
    for number, row in enumerate(zip(*found, strict=False), 1):
        yield number, [str(number), *row]


def count_lines(source: SourceFile, dialect: Dialect, limits: Limits) -> int:
    """Return how many texts a file holds."""
    return sum(1 for _ in _texts(source, dialect, limits))


def _texts(file: SourceFile, dialect: Dialect, limits: Limits) -> Iterator[str]:
    """Yield the lines; a carriage return ends them only in a file that has no line feeds."""
    pending = end = ""
    number = 0
    for piece in texts(file, encoding_of(file, dialect.encoding, limits), limits):
        end = end or ("\r" if "\r" in piece and "\n" not in piece else "\n")
        *whole, pending = (pending + piece).split(end)
        for text in whole:
            number += 1
            yield _checked(file.name, number, text.removesuffix("\r"), limits)
        _checked(file.name, number + 1, pending, limits)
    if pending:
        yield pending


def _checked(name: str, line: int, text: str, limits: Limits) -> str:
    limit = limits.field_characters
    if len(text) > limit:
        found, expected = f"a line of more than {limit} characters", f"at most {limit}"
        advice = "Write one text per line."
        raise refused(name, found, expected, advice, "field-size", line)
    return text
