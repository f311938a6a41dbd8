"""Steps that write a file: a report of one study, or the comparison of a collection."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from analysis.collections.service import comparison, signature_of
from analysis.collections.tables import OF_BOARD, TITLES, tables_of
from analysis.data.states import state_token
from analysis.filter.question import Question, QuestionError
from analysis.models import Collection
from analysis.reports.catalogue import KINDS
from analysis.reports.service import report
from analysis.tables.files import table_named, zip_of_tables
from analysis.tables.flat_table import csv_text, json_text
from analysis.tables.latex import latex_table
from analysis.tables.of_reports import flat_tables
from config.benchmark.recipe import COLLECTION, RecipeError
from config.benchmark.step import Step, digest, named
from corpus.access.log import Action, log_access
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
    try:
        question = Question.parse(row.get("filter", {}))
    except QuestionError as error:
        raise RecipeError(f"reports: {row['kind']}: {error}") from None
    place = folder / f"{study.slug}-{_file_name(row)}"

    def run(tell: ProgressCallback) -> str:
        tables = flat_tables(report(study, row["kind"], question, tell))
        return _write(place, tables, row, study)

    name = named(f"{study.slug}: report {row['kind']}", row, "kind")
    return Step(name, lambda: [row, _state(study), settings.VERSION, place.is_file()], run)


def comparison_step(collection: Collection, row: Mapping[str, Any], folder: Path) -> Step:
    """Return the step that writes the comparison of a collection; raises `RecipeError`."""
    by, table = row.get("by", ""), row.get("table")
    known = OF_BOARD if by else TITLES
    if table and table not in known:
        of_what = f"of systems by {by}" if by else "of a comparison"
        raise RecipeError(f"reports: no table {table!r} {of_what}; there are: {', '.join(known)}")
    place = folder / f"{collection.slug}-{_file_name(row)}"

    def run(tell: ProgressCallback) -> str:
        return _write(place, tables_of(comparison(collection, by, tell)), row)

    def facts() -> Any:
        # Of the tasks and all that they read, as it is now: steps before have changed it.
        signature = signature_of(Collection.objects.get(pk=collection.pk), by)
        return [row, signature, settings.VERSION, place.is_file()]

    return Step(named(f"{collection.slug}: comparison", row, "kind"), facts, run)


def _state(study: Study) -> str:
    """Return the state of ratings and scores as they are now: steps before have changed both."""
    return state_token(Study.objects.get(pk=study.pk))


def _write(place: Path, tables: Any, row: Mapping[str, Any], study: Study | None = None) -> str:
    chosen = row.get("format", "json")
    if row.get("table"):
        content = _TEXTS[chosen](table_named(tables, row["table"])).encode()
    elif chosen == "csv":
        content = zip_of_tables(tables)
    else:
        content = "\n".join(latex_table(each) for each in tables).encode()
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
