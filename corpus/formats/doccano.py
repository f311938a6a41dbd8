"""doccano: JSON Lines of text classification, one file for each annotator or one for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.judged_items import Answer, JudgedItem, read_items, texts_among
from corpus.formats.offered import Offered
from corpus.tabular.files import stem_of

_OF_ALL = ("all", "unknown")
"""Names of the files of a project whose annotators work together."""
_NO_RATING = {"id", "text", "data", "label", "labels", "comments", "username"}


class Doccano(Format):
    """doccano JSONL."""

    name = "doccano"
    title = "doccano (JSON Lines)"

    def recognises(self, files: Offered) -> bool:
        """Whether JSON Lines begin with a text and its labels."""
        return bool(_lines_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read labels that are numbers as ratings; ``fluency: 4`` also names the aspect."""
        read = ReadAs()
        items = (item for name in _lines_in(files) for item in _items(files, name))
        read_items(items, folder, "doccano.csv", read)
        return read


def _lines_in(files: Offered) -> list[str]:
    return [
        name
        for name in files.ending_with(".jsonl")
        if {"id", "label"} <= (first := files.first_record(name)).keys()
        and {"text", "data"} & first.keys()
        and isinstance(first["label"], list)
        and all(isinstance(label, str) for label in first["label"])
    ]


def _items(files: Offered, name: str) -> Iterator[JudgedItem]:
    stem = stem_of(name)
    rater = "" if stem.lower() in _OF_ALL else stem
    for line in files.texts(name):
        if line.strip():
            yield _item(files.decoded(name, line), rater)


def _item(record: dict[str, Any], rater: str) -> JudgedItem:
    others = {key: value for key, value in record.items() if key.lower() not in _NO_RATING}
    texts = texts_among(others)
    texts.setdefault("output", str(record.get("text", record.get("data", ""))))
    texts.setdefault("segment", str(record.get("id", "")))
    comment = "\n".join(map(str, record.get("Comments") or record.get("comments") or []))
    answers = []
    for label in record.get("label") or []:
        aspect, _, answer = str(label).rpartition(":") if ":" in str(label) else ("", "", label)
        who = str(record.get("username") or rater)
        answers.append(Answer(aspect.strip() or "label", str(answer).strip(), who, comment))
    return JudgedItem(texts, answers)


FORMAT = Doccano()
