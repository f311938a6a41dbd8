"""Pearmut: its log of annotations, entries with items and what was said of each model's output."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.judged_items import Answer, JudgedItem, as_answer, read_items
from corpus.formats.marked_errors import ASPECTS, counted
from corpus.formats.offered import Offered

SPECIAL = ("welcome_", "random_", "goodbye_")
"""Tutorials and checks, which are no ratings of systems."""
_BEGINNING = re.compile(rb'\s*\{\s*"[^"]*"\s*:\s*\[\s*\{')
RESET = "__RESET__"
"""Instead of an annotation: what this person answered before does not count."""
_REPEATED = "answers that were reset or given again later"
_PLACES = "places and categories of error spans"
_NO_ASPECT = ("error_spans", "textfield", "comment", "validation")


class Pearmut(Format):
    """Pearmut annotations as JSON or JSON Lines."""

    name = "pearmut"
    title = "Pearmut annotations (JSON)"

    def recognises(self, files: Offered) -> bool:
        """Whether an entry has items and annotations beside each other."""
        return bool(_logs_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read scores and sliders as ratings of each model's output."""
        read = ReadAs()
        counts = {"entries of tutorials and checks": 0, _PLACES: 0, _REPEATED: 0}
        items = (
            item
            for name in _logs_in(files)
            for campaign in _campaigns(files, name)
            for item in _counting(campaign, counts)
        )
        read_items(items, folder, "pearmut.csv", read)
        for what, count in counts.items():
            if count:
                read.notes.append(f"{count:,} {what} were left out.")
        if counts[_PLACES]:
            read.notes.append(
                "The aspects errors_major and errors_minor are minus the numbers of marked errors."
            )
        return read


def _logs_in(files: Offered) -> list[str]:
    found = []
    for name in files.ending_with(".json", ".jsonl"):
        first = files.first_record(name)
        if {"item", "annotation"} <= first.keys() or _is_by_campaign(files.head(name)):
            found.append(name)
    return found


def _is_by_campaign(head: bytes) -> bool:
    """Whether a file begins with a campaign and the first of its entries."""
    return (
        bool(_BEGINNING.match(head))
        and b'"annotation"' in head
        and b'"item"' in head
        and b'"tgt"' in head
    )


def _campaigns(files: Offered, name: str) -> Iterator[Iterable[Any]]:
    """Yield the entries of each campaign."""
    if name.lower().removesuffix(".gz").endswith(".jsonl"):
        yield (files.decoded(name, line) for line in files.texts(name) if line.strip())
        return
    content = files.document(name)
    yield from content.values() if isinstance(content, dict) else [content]


def _counting(entries: Iterable[Any], counts: dict[str, int]) -> list[JudgedItem]:
    """Return what counts of a log: the last answer to each item, given after the last reset."""
    last: dict[str, dict[tuple[str, str], JudgedItem]] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        by_item = last.setdefault(str(entry.get("user_id") or ""), {})
        if entry.get("annotation") == RESET:
            counts[_REPEATED] += len(by_item)
            by_item.clear()
            continue
        for item in _items(entry, counts):
            key = item.texts["segment"], item.texts["system"]
            counts[_REPEATED] += key in by_item
            by_item[key] = item
    items = [item for by_item in last.values() for item in by_item.values()]
    if not any(_is_marked(answer) for item in items for answer in item.answers):
        # Nobody was asked to mark errors: none is no answer.
        for item in items:
            item.answers = [answer for answer in item.answers if answer.aspect not in ASPECTS]
    return items


def _is_marked(answer: Answer) -> bool:
    return answer.aspect in ASPECTS and answer.answer != "0"


def _items(entry: dict[str, Any], counts: dict[str, int]) -> Iterator[JudgedItem]:
    if str(entry.get("item_i", "")).startswith(SPECIAL) or "annotation" not in entry:
        counts["entries of tutorials and checks"] += 1
        return
    rater = str(entry.get("user_id") or "")
    for item, said in zip(entry["item"], entry["annotation"], strict=False):
        for model, output in (item.get("tgt") or {}).items():
            texts = {"system": str(model), "output": str(output)}
            texts["source"] = str(item.get("src", ""))
            texts["reference"] = str(item.get("ref", ""))
            key = item.get("item_id")
            texts["segment"] = str(key) if key is not None else _key_of(item)
            yield JudgedItem(texts, list(_answers((said or {}).get(model) or {}, rater, counts)))


def _answers(said: dict[str, Any], rater: str, counts: dict[str, int]) -> Iterator[Answer]:
    spans = said.get("error_spans")
    counts[_PLACES] += len(spans or [])
    comment = str(said.get("textfield") or said.get("comment") or "")
    for name, value in said.items():
        if name in _NO_ASPECT or value is None:
            continue
        if isinstance(value, dict):  # Sliders by their names.
            yield from (Answer(str(n), as_answer(v), rater, comment) for n, v in value.items())
        else:
            yield Answer("overall" if name == "score" else name, as_answer(value), rater, comment)
    if spans is not None:
        numbers = counted(span.get("severity") for span in spans)
        for aspect, number in zip(ASPECTS, numbers, strict=True):
            yield Answer(aspect, str(number), rater, comment)


def _key_of(item: dict[str, Any]) -> str:
    return json.dumps([item.get("src"), item.get("ref")], ensure_ascii=False)[:190]


FORMAT = Pearmut()
