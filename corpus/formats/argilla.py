"""Argilla: records with their responses, as `dataset.records.to_json` writes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.judged_items import Answer, JudgedItem, as_answer, read_items, texts_among
from corpus.formats.offered import Offered


class Argilla(Format):
    """Argilla 2 records as JSON."""

    name = "argilla"
    title = "Argilla records (JSON)"

    def recognises(self, files: Offered) -> bool:
        """Whether a JSON file begins with a record."""
        return bool(_records_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read fields and metadata as texts, responses as ratings, suggestions as models'."""
        read = ReadAs()
        suggested = 0

        def items() -> Iterator[JudgedItem]:
            nonlocal suggested
            for name in _records_in(files):
                for record in files.document(name):
                    suggested += len(record.get("suggestions") or {})
                    yield _item(record)

        read_items(items(), folder, "argilla.csv", read)
        if suggested:
            read.notes.append(f"{suggested:,} suggestions, which no person gave, were left out.")
        return read


def _records_in(files: Offered) -> list[str]:
    return [
        name
        for name in files.ending_with(".json")
        if isinstance((first := files.first_record(name)).get("fields"), dict)
        and isinstance(first.get("responses"), dict)
    ]


def _item(record: dict[str, Any]) -> JudgedItem:
    texts = texts_among({**(record.get("metadata") or {}), **(record.get("fields") or {})})
    texts.setdefault("segment", str(record.get("id", "")))
    answers = [
        Answer(question, as_answer(response.get("value")), str(response.get("user_id") or ""))
        for question, responses in (record.get("responses") or {}).items()
        for response in responses or []
        if response.get("status", "submitted") in (None, "submitted")
    ]
    return JudgedItem(texts, answers)


FORMAT = Argilla()
