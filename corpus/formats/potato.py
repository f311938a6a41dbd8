"""Potato: `annotated_instances.jsonl`, in a folder for each annotator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.judged_items import Answer, JudgedItem, as_answer, read_items, texts_among
from corpus.formats.offered import Offered

_FILE = "annotated_instances.jsonl"


class Potato(Format):
    """Potato, as it stores annotations."""

    name = "potato"
    title = "Potato (annotated_instances.jsonl)"

    def recognises(self, files: Offered) -> bool:
        """Whether a file has the name, and labels by scheme."""
        return bool(_files_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read each scheme as an aspect; who rated is in the record, else the folder's name."""
        read = ReadAs()
        items = (item for name in _files_in(files) for item in _items(files, name))
        read_items(items, folder, "potato.csv", read)
        return read


def _files_in(files: Offered) -> list[str]:
    return [
        name
        for name in files.ending_with(_FILE)
        if {"id", "label_annotations"} <= files.first_record(name).keys()
    ]


def _items(files: Offered, name: str) -> Iterator[JudgedItem]:
    folder = name.rpartition("/")[0].rpartition("/")[2]
    for line in files.texts(name):
        if line.strip():
            yield _item(files.decoded(name, line), folder)


def _item(record: dict[str, Any], folder: str) -> JudgedItem:
    texts = texts_among({**(record.get("metadata") or {}), **record})
    texts["segment"] = str(record["id"])
    texts.setdefault("output", str(record.get("displayed_text", "")))
    rater = str(record.get("user_id") or folder)
    answers = []
    for scheme, labels in (record.get("label_annotations") or {}).items():
        chosen = labels.items() if isinstance(labels, dict) else [("", labels)]
        for label, value in chosen:
            # Of a choice Potato stores the label; of a scale, a slider or a text the value.
            said = label if value in (True, "true", "on") else as_answer(value)
            answers.append(Answer(str(scheme), str(said), rater))
    return JudgedItem(texts, answers)


FORMAT = Potato()
