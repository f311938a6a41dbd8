"""Label Studio: tasks with their annotations, as its JSON export writes them.

Described under "Label Studio JSON format of annotated tasks" in the documentation of Label Studio.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.judged_items import Answer, JudgedItem, as_answer, read_items, texts_among
from corpus.formats.offered import Offered

_ANSWERS = ("rating", "number", "choices", "text")
"""Kinds of results that are answers about the whole text; others mark parts of it."""


class LabelStudio(Format):
    """Label Studio JSON."""

    name = "label-studio"
    title = "Label Studio (JSON)"

    def recognises(self, files: Offered) -> bool:
        """Whether a JSON file begins with a task."""
        return bool(_tasks_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read the data of tasks as texts, and each result as an answer of who completed it."""
        read = ReadAs()
        left_out: dict[str, int] = {}
        items = (
            item
            for name in _tasks_in(files)
            for task in files.document(name)
            if isinstance(task, dict)
            for item in _items(task, left_out)
        )
        read_items(items, folder, "label-studio.csv", read)
        for kind, count in left_out.items():
            read.notes.append(f"{count:,} {kind} were left out.")
        return read


def _tasks_in(files: Offered) -> list[str]:
    found = []
    for name in files.ending_with(".json"):
        first = files.first_record(name)
        is_task = isinstance(first.get("data"), dict) and isinstance(first.get("annotations"), list)
        if is_task or (not first and _begins_like_a_task(files.head(name))):
            found.append(name)
    return found


def _begins_like_a_task(head: bytes) -> bool:
    """Whether the first task is longer than what was looked at, and looks like one."""
    return head.lstrip()[:1] == b"[" and b'"annotations"' in head and b'"completed_by"' in head


def _items(task: dict[str, Any], left_out: dict[str, int]) -> Iterator[JudgedItem]:
    texts = texts_among(task.get("data") or {})
    texts.setdefault("segment", str(task.get("id", "")))
    answers: list[Answer] = []
    for annotation in task.get("annotations") or []:
        if annotation.get("was_cancelled"):
            left_out["annotations that were skipped"] = (
                left_out.get("annotations that were skipped", 0) + 1
            )
            continue
        who = annotation.get("completed_by")
        rater = str(who.get("id", "")) if isinstance(who, dict) else str(who or "")
        for result in annotation.get("result") or []:
            kind, value = str(result.get("type", "")), result.get("value") or {}
            key = "text" if kind == "textarea" else kind
            if key in _ANSWERS and key in value:
                answers.append(
                    Answer(str(result.get("from_name", "")), as_answer(value[key]), rater)
                )
            else:
                what = f"results of the kind {kind or 'none'}, which {_otherwise(kind)}"
                left_out[what] = left_out.get(what, 0) + 1
    yield JudgedItem(texts, answers)


def _otherwise(kind: str) -> str:
    """Say what results do that are no answers about a whole text."""
    if kind == "pairwise":
        return "compare texts: export CSV and map the two outputs as sides"
    return "mark parts of texts"


FORMAT = LabelStudio()
