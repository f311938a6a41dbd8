"""Questions that one query finds, as `declared.toml` describes them."""

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from corpus.tabular.questions.question import Change, Question, Results, ask, records, shown

_PARAMETER = re.compile(r"\$(\w+)")


@cache
def _declarations() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def declared(kind: str) -> Callable[[Results], Iterator[Question]]:
    """Return what asks the questions of a kind: one about each row that its query finds."""

    def questions(results: Results) -> Iterator[Question]:
        said = _declarations()[kind]
        for row in results.records(said["find"]):
            words = row | {"shown": shown(row.get("about") or "")}
            counted = records(row.get("counted") or (), said.get("noun", "record"))
            answers = (
                (each["value"], each["label"].format(**words), *_changes(results, each, row))
                for each in said["answers"]
                if row.get(each.get("only", ""), True)
            )
            yield ask(
                said["name"].format(**words),
                said["text"].format(**words),
                row.get("detail") or counted,
                *answers,
                preset=row.get("likely") or said["answers"][0]["value"],
                subjects=row.get("subjects") or (),
            )

    return questions


def _changes(results: Results, answer: dict[str, Any], row: dict[str, Any]) -> Iterator[Change]:
    """Yield the statements of an answer: where one names {table}, for each table with the key."""
    if "renamed" in answer:
        yield from results.renamed(row["key"], *(row[names] for names in answer["renamed"]))
    for statement in answer.get("changes", ()):
        parameters = [row[name] for name in _PARAMETER.findall(statement)]
        plain = _PARAMETER.sub("?", statement)
        places = results.places(row["key"]) if "{table}" in plain else [("", "")]
        yield from ((plain.replace("{table}", table), *parameters) for table, _ in places)
