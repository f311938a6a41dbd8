"""Potato: what it stores for each annotator, and its export as JSON Lines.

Version 1 stores `annotated_instances.jsonl`, with texts; version 2 `user_state.json`, without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.judged_items import Answer, JudgedItem, as_answer, read_items, texts_among
from corpus.formats.offered import Offered

_FIRST = "annotated_instances.jsonl"
_STATE = "user_state.json"
_EXPORTED = {"instance_id", "user_id", "labels"}


class Potato(Format):
    """Potato, as it stores or exports annotations."""

    name = "potato"
    title = "Potato annotations"

    def recognises(self, files: Offered) -> bool:
        """Whether a file has one of the names, or a line of an export."""
        return bool(_first_version(files) or _states(files) or _exports(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read each scheme as an aspect; who rated is in the file, else the folder's name."""
        read = ReadAs()
        marked = {"items": 0}
        if first := _first_version(files):
            items = (item for name in first for item in _items_of_first(files, name, marked))
        else:
            states, exports = _states(files), _exports(files)
            if states:
                read.passed_over += [(name, f"repeats {_STATE}") for name in exports]
            data = _data(files)
            if not data:
                read.notes.append(
                    "Potato does not store the texts with the annotations. To import them, put "
                    "the data file (JSON Lines or JSON with id) next to the annotations."
                )
            items = (
                JudgedItem(dict(data.get(key, {"segment": key})), _answers(labels, rater))
                for name in states or exports
                for rater, key, labels in _said(files, name, marked)
            )
        read_items(items, folder, "potato.csv", read)
        if marked["items"]:
            read.notes.append(f"Marked parts of texts, in {marked['items']:,} items, are left out.")
        return read


def _first_version(files: Offered) -> list[str]:
    return [
        name
        for name in files.ending_with(_FIRST)
        if {"id", "label_annotations"} <= files.first_record(name).keys()
    ]


def _states(files: Offered) -> list[str]:
    return [n for n in files.ending_with(_STATE) if b'"instance_id_ordering"' in files.head(n)]


def _exports(files: Offered) -> list[str]:
    return [
        name
        for name in files.ending_with(".jsonl")
        if (first := files.first_record(name)).keys() >= _EXPORTED
        and isinstance(first["labels"], dict)
    ]


def _items_of_first(files: Offered, name: str, marked: dict[str, int]) -> Iterator[JudgedItem]:
    folder = name.rpartition("/")[0].rpartition("/")[2]
    for record in _records(files, name):
        marked["items"] += bool(record.get("span_annotations"))
        texts = texts_among({**(record.get("metadata") or {}), **record})
        texts["segment"] = str(record["id"])
        texts.setdefault("output", str(record.get("displayed_text", "")))
        rater = str(record.get("user_id") or folder)
        yield JudgedItem(texts, _answers(record.get("label_annotations") or {}, rater))


def _records(files: Offered, name: str) -> Iterator[dict[str, Any]]:
    return (files.decoded(name, line) for line in files.texts(name) if line.strip())


def _said(
    files: Offered, name: str, marked: dict[str, int]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield who rated, the identifier of the item, and the labels by scheme."""
    if not name.lower().endswith(_STATE):
        for record in _records(files, name):
            marked["items"] += bool(record.get("spans"))
            yield str(record["user_id"]), str(record["instance_id"]), record["labels"]
        return
    state = files.document(name)
    spans = state.get("instance_id_to_span_to_value") or {}
    marked["items"] += sum(map(bool, spans.values()))
    for key, said in (state.get("instance_id_to_label_to_value") or {}).items():
        labels: dict[str, dict[str, Any]] = {}
        for label, value in said:
            labels.setdefault(str(label["schema"]), {})[str(label["name"])] = value
        yield str(state["user_id"]), key, labels


def _data(files: Offered) -> dict[str, dict[str, str]]:
    """Return the texts of each item of the data files that came too, by its identifier."""
    found: dict[str, dict[str, str]] = {}
    for name in files.ending_with(".jsonl", ".json"):
        first = files.first_record(name)
        if "id" not in first or not texts_among({**first, "output": first.get("text")}):
            continue
        is_lines = name.lower().removesuffix(".gz").endswith(".jsonl")
        content = _records(files, name) if is_lines else files.document(name)
        for record in [] if isinstance(content, dict) else content:
            others = {key: value for key, value in record.items() if key not in ("id", "text")}
            texts = texts_among(others)
            texts.setdefault("segment", str(record["id"]))
            if isinstance(record.get("text"), str):
                texts.setdefault("output", record["text"])
            found[str(record["id"])] = texts
    return found


def _answers(labels: dict[str, Any], rater: str) -> list[Answer]:
    answers = []
    for scheme, chosen in labels.items():
        for label, value in chosen.items() if isinstance(chosen, dict) else [("", chosen)]:
            # Of a choice Potato stores the label; of a scale, a slider or a text the value.
            said = label if value in (True, "true", "on") else as_answer(value)
            answers.append(Answer(str(scheme), str(said), rater))
    return answers


FORMAT = Potato()
