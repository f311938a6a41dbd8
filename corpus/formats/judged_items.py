"""Judged texts out of annotation tools, as one table that holds segments, outputs and ratings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from corpus.formats.format import ReadAs
from corpus.formats.writing import write_table
from corpus.tabular.column_names import canonical
from corpus.tabular.known_columns import FILE_NAME, catalogue
from corpus.tabular.mapping import Columns
from corpus.tabular.mapping import Mapping as TableMapping
from corpus.tabular.transforming.conditions import Condition

FIELDS = ("segment", "source", "reference", "system", "output")
COLUMNS = (*FIELDS, "campaign", "rater", "aspect", "answer", "score", "against", "comment")
UNNAMED = "annotated"
"""The system of texts that no system is named for."""
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Answer:
    """What one rater said of one text; empty where a tool does not say it.

    Of two texts `against` is the system of the other, shown on the right, and `answer` the side
    of the better one: ``left`` or ``right``.
    """

    aspect: str
    answer: str = ""
    rater: str = ""
    comment: str = ""
    against: str = ""


@dataclass
class JudgedItem:
    """A text with its answers; `texts` are named by `FIELDS`."""

    texts: dict[str, str]
    answers: list[Answer] = field(default_factory=list)
    campaign: str = ""


def texts_among(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the values that are texts of an item, by the names that the field uses for them.

    Examples
    --------
    >>> texts_among({"src": "Guten Tag.", "system_name": "A", "mt": "Good day.", "length": 2})
    {'source': 'Guten Tag.', 'system': 'A', 'output': 'Good day.'}
    """
    found: dict[str, str] = {}
    for name, value in values.items():
        meant = meaning(name)
        if meant and meant not in found and isinstance(value, str | int):
            found[meant] = str(value)
    return found


def meaning(name: str) -> str:
    """Return which of `FIELDS` a name means; empty if none."""
    return _known().get(canonical(name), "")


@cache
def _known() -> dict[str, str]:
    """Return what each known name of a column means."""
    known = {canonical(name): name for name in FIELDS}
    for line in catalogue():
        if line.field in FIELDS and not line.kind and set(line.beside) <= {FILE_NAME}:
            for name in line.names:
                known.setdefault(canonical(name), line.field)
    return known


def as_answer(value: Any) -> str:
    """Return an answer as text; of a list with one element that element."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, list | dict):
        return ""
    return "" if value is None else str(value)


def read_items(items: Iterable[JudgedItem], folder: Path, name: str, read: ReadAs) -> None:
    """Write items as one table, and say how it is read; note what is no score.

    Parameters
    ----------
    items
        In their order.
    folder
        Where the table goes.
    name
        Of the table.
    read
        Takes the table and the notes.
    """
    seen = _Seen()
    source = write_table(folder, name, list(COLUMNS), seen.rows(items))
    read.tables.append((source, seen.mappings()))
    if not seen.given["output"]:
        read.study["without_texts"] = True
    if not seen.given["system"]:
        read.notes.append(
            f"No system is named in these files: the texts are outputs of a system {UNNAMED!r}."
        )
    for aspect, (count, example) in seen.words.items():
        read.notes.append(
            f"{aspect}: {count:,} answers are words, such as {example!r}, and no scores; they are "
            "left out. To take them, map the column answer to score, with values for the words."
        )


class _Seen:
    """Which columns hold something, found out while the rows are written."""

    def __init__(self) -> None:
        self.given = dict.fromkeys(COLUMNS, False)
        self.words: dict[str, tuple[int, str]] = {}

    def rows(self, items: Iterable[JudgedItem]) -> Iterator[list[str]]:
        """Yield a row for each answer; one without for an item that nobody judged."""
        for item in items:
            texts = [item.texts.get(name, "") for name in FIELDS]
            for answer in item.answers or [Answer("")]:
                number = answer.answer.strip()
                is_score = not answer.against and _NUMBER.fullmatch(number)
                score = number if is_score else ""
                if answer.answer and not score and not answer.against:
                    count, example = self.words.get(answer.aspect, (0, answer.answer[:40]))
                    self.words[answer.aspect] = (count + 1, example)
                row = [*texts, item.campaign, answer.rater, answer.aspect, answer.answer, score]
                row += [answer.against, answer.comment]
                for name, value in zip(COLUMNS, row, strict=True):
                    self.given[name] = self.given[name] or value != ""
                yield row

    def mappings(self) -> list[TableMapping]:
        """Return how the tables are read out of the written one."""
        given = self.given
        key: dict[str, Columns] = {"segment": "segment"} if given["segment"] else {}
        text = "source" if given["source"] else "output"
        digests = {} if given["segment"] else {"segment": text}
        system: dict[str, Columns] = {"system": "system"} if given["system"] else {}
        constants = {} if given["system"] else {"system": UNNAMED}
        segments: dict[str, Columns] = {**key, "source": "source"}
        if given["reference"]:
            segments["reference"] = ("reference",)
        found = [TableMapping("segments", segments, digests=digests, distinct=True)]
        if given["output"]:
            columns: dict[str, Columns] = {**key, **system, "output": "output"}
            found.append(TableMapping("outputs", columns, constants, digests, distinct=True))
        else:
            found = []
        judged = ("rater", "aspect", "comment", "campaign")
        rated: dict[str, Columns] = {name: name for name in judged if given[name]}
        rated = {**key, **system, **rated}
        if given["score"]:
            scored = (Condition("score", empty=False),)
            columns = {**rated, "score": "score"}
            found.append(TableMapping("ratings", columns, constants, digests, where=scored))
        if given["against"]:
            compared = (Condition("against", empty=False),)
            columns = {**rated, "against": "against", "judgement": "answer"}
            of_two = {**constants, "task": "output_against_output", "side": "a"}
            found.append(TableMapping("ratings", columns, of_two, digests, where=compared))
        return found
