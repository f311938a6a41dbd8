"""Label Studio: tasks with their annotations, as its JSON export writes them.

Described under "Label Studio JSON format of annotated tasks" in the documentation of Label Studio.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.judged_items import Answer, JudgedItem, as_answer, read_items, texts_among
from corpus.formats.offered import Offered
from corpus.formats.two_texts import Shown, shown

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
        """Read the data of tasks as texts, each result as an answer or choice of who gave it."""
        read = ReadAs()
        left_out: Counter[str] = Counter()
        unnamed: set[str] = set()
        items = (
            item
            for name in _tasks_in(files)
            for item in _judged(files.document(name), left_out, unnamed)
        )
        read_items(items, folder, "label-studio.csv", read)
        if unnamed:
            read.notes.append(
                "No system is named for texts that are compared; they are outputs of systems "
                f"named after their fields: {', '.join(sorted(unnamed))}."
            )
        read.notes += [f"{count:,} {kind} were left out." for kind, count in left_out.items()]
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


def _judged(tasks: Any, left_out: Counter[str], unnamed: set[str]) -> Iterator[JudgedItem]:
    """Yield the texts of tasks with what was said of each."""
    tasks = [task for task in tasks if isinstance(task, dict)]
    compared = dict.fromkeys(
        _names(result)
        for task in tasks
        for annotation in task.get("annotations") or []
        for result in annotation.get("result") or []
        if result.get("type") == "pairwise"
    )
    for task in tasks:
        data = task.get("data") or {}
        texts = texts_among(data)
        texts.setdefault("segment", str(task.get("id", "")))
        if not compared:
            answers = [answer for _, answer in _answers(task, {}, left_out)]
            yield JudgedItem(texts, answers)
            continue
        sides: dict[str, Shown] = {}
        for names in compared:
            if len(names) == 2 and (both := shown(*names, data)):
                sides |= dict(zip(names, both, strict=True))
                unnamed |= {side.system for side in both if not side.is_named}
        if not sides:
            left_out["tasks whose two texts the names of their fields do not tell apart"] += 1
        said: dict[str, list[Answer]] = {name: [] for name in sides}
        for name, answer in _answers(task, sides, left_out):
            if name in said:
                said[name].append(answer)
            else:
                left_out["answers about none of the texts that are compared"] += 1
        for name, side in sides.items():
            yield JudgedItem({**texts, "system": side.system, "output": side.text}, said[name])


def _answers(
    task: dict[str, Any], sides: dict[str, Shown], left_out: Counter[str]
) -> Iterator[tuple[str, Answer]]:
    """Yield what was said, each with the name of what it is about; of two texts the left one."""
    for annotation in task.get("annotations") or []:
        if annotation.get("was_cancelled"):
            left_out["annotations that were skipped"] += 1
            continue
        who = annotation.get("completed_by")
        rater = str(who.get("id", "")) if isinstance(who, dict) else str(who or "")
        for result in annotation.get("result") or []:
            kind, value = str(result.get("type", "")), result.get("value") or {}
            key, aspect = "text" if kind == "textarea" else kind, str(result.get("from_name", ""))
            names = _names(result)
            if key in _ANSWERS and key in value:
                yield ",".join(names), Answer(aspect, as_answer(value[key]), rater)
            elif kind != "pairwise":
                what = f"results of the kind {kind or 'none'}, which mark parts of texts,"
                left_out[what] += 1
            elif value.get("selected") not in ("left", "right"):
                left_out["comparisons without a choice"] += 1
            elif against := _against(names, sides):
                yield names[0], Answer(aspect, value["selected"], rater, against=against)
            else:
                what = "comparisons of texts that the names of their fields do not tell apart"
                left_out[what] += 1


def _against(names: tuple[str, ...], sides: dict[str, Shown]) -> str:
    """Return the system on the right; empty if it is not known, or is on the left too."""
    if len(names) != 2 or not sides.keys() >= {*names}:
        return ""
    left, right = (sides[name].system for name in names)
    return "" if left == right else right


def _names(result: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of what a result is about."""
    return tuple(name.strip() for name in str(result.get("to_name", "")).split(","))


FORMAT = LabelStudio()
