"""What the cells of a field mean: a part of them, and texts with other meanings, by a mapping."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from corpus.tabular.conversion import Converter, UnconvertibleError, text_of
from corpus.tabular.json_paths import ABSENT
from corpus.tabular.problems import shorten
from corpus.tabular.transforming.taking import Patterns, take_out


def translating(
    field: str,
    inner: Converter | None,
    patterns: Patterns,
    meanings: Mapping[str, str],
    missing: Collection[str],
) -> Converter:
    """Return a converter that first takes a part of the cell and looks up what it means.

    Parameters
    ----------
    field
        Name of the field, for problems.
    inner
        What makes a value of a text; None if the text is the value.
    patterns
        By which the part is taken; none if the whole cell counts.
    meanings
        Text to the text that it means. Other texts are kept, if they are values of the field.
    missing
        Texts that mean "no value", of which no part is taken.

    Raises
    ------
    UnconvertibleError
        If a meaning is no value of the field; also by the function returned.
    """
    table = {found: inner(means) if inner else means for found, means in meanings.items()}
    listed = shorten(", ".join(found or "(empty)" for found in meanings))

    def convert(cell: object) -> object:
        text = cell if isinstance(cell, str) and cell in missing else text_of(cell)
        if patterns and text and text not in missing and text not in table:
            cell = text = take_out(text, patterns)
        if text in table:
            return table[text]
        if cell is None or cell is ABSENT or not meanings:
            return inner(cell) if inner else text
        try:
            return inner(cell) if inner else text
        except UnconvertibleError as error:
            raise UnconvertibleError(
                error.found,
                f"{error.expected}, or one of values.{field}: {listed}",
                f"Correct the cell, or add what it means to values.{field} in the mapping.",
                error.code,
            ) from None

    return convert
