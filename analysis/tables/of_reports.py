"""Report content as flat tables: one row a number, unrounded, with all that it rests on."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from analysis.filter.question import Question
from analysis.preregistration.marks import in_words
from analysis.reports.catalogue import report_kind
from analysis.reports.kind import Report, opened
from analysis.tables.flat_table import FlatTable
from corpus.vocabulary.publication_details import STATED


def flat_tables(report: Mapping[str, Any], marks: str = "") -> list[FlatTable]:
    """Return the tables of one report, or of the document of all reports.

    Parameters
    ----------
    report : mapping
        What `analysis.reports.service.report` or `document` returns.
    marks : str
        How significance is marked, one of `analysis.tables.marks.WORDS`.

    Returns
    -------
    list of FlatTable
        One or several per kind; where a document holds parts of the study (directions, models),
        their rows stand in one table with the part in the first column.
    """
    if "reports" in report:
        return _of_document(report, marks)
    content = opened(report).content
    tables = [table.of(content) for table in report_kind(report["kind"]).tables]
    facts: dict[str, Any] = {
        "sources": sources_of(report),
        "simulated": bool(report["simulated"]),
        "registration": standing_of(report),
        "marks": marks,
    }
    said = " ".join(report.get("verdict", ())[:1])
    return [
        replace(table, **facts, verdict="" if place else said) for place, table in enumerate(tables)
    ]


def table_titles(report: Report[Any]) -> dict[str, str]:
    """Return name and title of the tables of one report that have rows, without making them."""
    return {
        table.name: table.title
        for table in report_kind(report.kind).tables
        if report.stored["content"][table.part.partition(".")[0]]
    }


def _of_document(document: Mapping[str, Any], marks: str) -> list[FlatTable]:
    tables = []
    for kind, report in document["reports"].items():
        parts = {"": report} if "content" in report else report
        of_parts = [
            [_with_part(table, part) for table in flat_tables(one, marks)]
            for part, one in parts.items()
        ]
        for same in zip(*of_parts, strict=True):
            rows = tuple(row for table in same for row in table.rows)
            tables.append(replace(same[0], name=_table_name(kind, same[0].name), rows=rows))
    return tables


def _table_name(kind: str, name: str) -> str:
    return name if name.startswith(kind) else f"{kind}-{name}"


def _with_part(table: FlatTable, part: str) -> FlatTable:
    if not part:
        return table
    return replace(
        table,
        verdict="",
        columns=("part", *table.columns),
        rows=tuple((part, *row) for row in table.rows),
        printed=("part", *table.printed) if table.printed else (),
    )


def sources_of(report: Mapping[str, Any]) -> tuple[str, ...]:
    """Say in lines of text where a report's numbers come from."""
    query = urlencode(Question.parse(report["question"]).to_query(), doseq=True)
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    return (
        f"study: {report['study']}",
        f"report: {report['kind']}",
        f"filter: {query or 'none'}",
        f"report signature: {report['signature']}",
        f"ratings sha256: {report['ratings_sha256']}",
        f"versions: {versions}",
        *_stated(report["counts"].get("stated_runs", 0)),
        *(f"note: {each}" for each in report.get("pooled", ())),
        *([f"registration: {in_words(mark)}"] if (mark := report.get("registration")) else []),
    )


def _stated(runs: int) -> Iterator[str]:
    if runs:
        words = f"{runs} metric run{'s' if runs > 1 else ''}"
        yield f"computed elsewhere: {words}, {STATED}"


def standing_of(report: Mapping[str, Any]) -> str:
    """Return how a report stands to the preregistration; empty without one."""
    mark = report.get("registration")
    return str(mark["standing"]) if mark else ""
