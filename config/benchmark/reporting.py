"""Steps that write a file: a report of one study, or the comparison of a collection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from analysis.collections.service import comparison
from analysis.collections.tables import tables_of
from analysis.data.states import state_token
from analysis.filter.question import Question
from analysis.models import Collection
from analysis.reports.catalogue import KINDS
from analysis.reports.service import report
from analysis.tables.files import names_of, table_named, zip_of_tables
from analysis.tables.flat_table import csv_text, json_text
from analysis.tables.latex import latex_table
from analysis.tables.of_reports import flat_tables
from config.benchmark.ledger import digest
from config.benchmark.recipe import COLLECTION, RecipeError
from config.benchmark.step import Step, StepError, short
from corpus.access_log import Action, log_access
from corpus.exports.whole_file import whole_file
from corpus.models import Study
from corpus.progress import ProgressCallback

_ENDINGS = {"json": "json", "csv": "csv", "latex": "tex"}
_TEXTS: Mapping[str, Callable[..., str]] = {
    "json": json_text,
    "csv": csv_text,
    "latex": latex_table,
}


def report_step(study: Study, row: Mapping[str, Any], folder: Path) -> Step:
    """Return the step that writes a report of a study; raises `RecipeError`."""

    if row["kind"] not in KINDS:
        known = ", ".join((*KINDS, COLLECTION))
        raise RecipeError(f"reports: no kind {row['kind']!r}; there are: {known}")
    place = folder / f"{study.slug}-{_file_name(row)}"

    def run(tell: ProgressCallback | None) -> str:
        question = Question.parse(row.get("filter", {}))
        tables = flat_tables(report(study, row["kind"], question))
        return _write(place, tables, row, study)

    name = f"{study.slug}: report {row['kind']} {short(row)}".rstrip()
    return Step(name, lambda: [row, _state(study), settings.VERSION, place.is_file()], run)


def comparison_step(
    collection: Collection, studies: list[Study], row: Mapping[str, Any], folder: Path
) -> Step:
    """Return the step that writes the comparison of a collection."""
    place = folder / f"{collection.slug}-{_file_name(row)}"

    def run(tell: ProgressCallback | None) -> str:
        return _write(place, tables_of(comparison(collection, row.get("by", ""))), row)

    def facts() -> Any:
        states = [_state(study) for study in studies]
        return [row, states, settings.VERSION, place.is_file()]

    return Step(f"{collection.slug}: comparison {short(row)}".rstrip(), facts, run)


def _state(study: Study) -> str:
    """Return the state of ratings and scores as they are now: steps before have changed both."""
    return state_token(Study.objects.get(pk=study.pk))


def _write(place: Path, tables: Any, row: Mapping[str, Any], study: Study | None = None) -> str:
    chosen = row.get("format", "json")
    if row.get("table"):
        content = _TEXTS[chosen](table_named(tables, row["table"])).encode()
    elif chosen == "csv":
        content = zip_of_tables(tables)
    elif chosen == "latex":
        content = "\n".join(latex_table(each) for each in tables).encode()
    else:
        raise StepError(f"name a table of this report: {names_of(tables)}")
    place.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(place) as unfinished:
        unfinished.write_bytes(content)
    log_access(Action.EXPORTED, "report by recipe", study=study, size=len(content))
    return f"written to {place}"


def _file_name(row: Mapping[str, Any]) -> str:
    parts = [row["kind"], row.get("table", ""), row.get("by", "")]
    asked = row.get("filter")
    parts.append(digest(asked)[:8] if asked else "")
    chosen = row.get("format", "json")
    ending = "zip" if chosen == "csv" and not row.get("table") else _ENDINGS[chosen]
    return "-".join(filter(None, parts)).replace("/", "_") + f".{ending}"
