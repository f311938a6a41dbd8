"""The page of published values beside the recomputed ones."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from analysis.charts.chart import counted, format_number
from analysis.filter.fields_of_kinds import restricted
from analysis.filter.question import RATINGS, Question
from analysis.published.values import ConditionsError, check_conditions
from analysis.reports.grouping import grouped
from analysis.reports.kind import Report, ReportKind, whole_study
from analysis.reports.page_address import Address
from analysis.reports.replication.report import (
    MISSED,
    REACHED,
    UNDEFINED,
    Recomputed,
    ReplicationReport,
    replication_report,
)
from analysis.reports.summaries import Sentence, listed, said
from analysis.reports.table import Table
from analysis.shown_numbers import number
from analysis.tables.flat_table import RESULT_COLUMNS
from analysis.wording import WHATS, conditions_words

_KEYS = ("where", "what", "printed", "published", "decimals", "rounded")


TABLES: tuple[Table[Any], ...] = (
    Table(
        "replication",
        "Published values compared with the recomputed ones",
        "rows",
        (*_KEYS, "recomputed", "outcome", "note", "conditions", *RESULT_COLUMNS),
        printed=("where", "what", "printed", "rounded", "recomputed", "outcome"),
    ),
)


STATES = (MISSED, UNDEFINED, REACHED)
PAGES = {
    "agreement": "study-agreement",
    "naturalness-agreement": "study-agreement",
    "system-mean": "study-ranking",
    "correlation": "study-correlation",
    "margin-of-r": "study-correlation",
}
OTHERWISE = {MISSED: "did not", UNDEFINED: "could not be recomputed"}
BADGES = {REACHED: "good", MISSED: "bad", UNDEFINED: "warn"}


def present(report: Report[ReplicationReport], address: Address) -> dict[str, Any]:
    """Return the values by the place where they are printed, filtered and ordered."""
    content, chosen = report.content, address.choices
    rows = [row for row in content.rows if chosen.state in ("", row.state)]
    by_state = chosen.order == "mismatches"
    if by_state:
        rows.sort(key=lambda row: STATES.index(row.state))
    groups = grouped(rows, lambda row: row.state if by_state else _place(row))
    return {
        "summary": _summary(content),
        "groups": [
            (heading, [_row(row, report.study) for row in own]) for heading, own in groups.items()
        ],
        "by_state": by_state,
        "counts_by_state": [
            (state, content.counts[state], address.query(state=state), BADGES[state])
            for state in (REACHED, MISSED, UNDEFINED)
        ],
        "shown_state": chosen.state,
        "total": len(content.rows),
        "shown": len(rows),
        "everything_query": address.query(state=""),
    }


def _summary(content: ReplicationReport) -> list[Sentence]:
    """Say how many values come out again, whichever are shown."""
    total, reached = len(content.rows), content.counts[REACHED]
    if not total:
        return []
    words = f"{reached} of {counted(total, 'published value')} came out again as printed"
    others = [f"{content.counts[s]} {w}" for s, w in OTHERWISE.items() if content.counts[s]]
    return [said(f"{words}{'; ' if others else ''}{listed(others) if others else ''}.")]


def _place(row: Recomputed) -> str:
    """Return the table or figure: what stands before the first comma."""
    return str(row.where).partition(",")[0]


def _row(row: Recomputed, slug: str) -> dict[str, Any]:
    question = _question(row.what, row.conditions)
    shown = number(row.result)
    # The component shows what is compared with the print: in percent, or without a sign.
    if row.value is not None and row.value != row.result.value:
        shown |= {"value": row.value, "low": None, "high": None}
    # A value that differs has two more decimals: how far it is off must be seen.
    precise = format_number(row.value, row.decimals + 2) if row.state == MISSED else ""
    return vars(row) | {
        "what": WHATS.get(row.what, row.what),
        "conditions": conditions_words(row.what, row.conditions, question) if question else "",
        "link": _link(row.what, slug, question),
        "number": shown,
        "precise": precise,
        "badge": BADGES[row.state],
    }


def _question(what: str, conditions: Mapping[str, Any]) -> Question | None:
    try:
        return check_conditions(what, conditions)
    except ConditionsError:
        return None


def _link(what: str, slug: str, question: Question | None) -> str:
    """Return the address of the report that shows the number, where there is one."""
    if question is None or what not in PAGES:
        return ""
    kind = PAGES[what].removeprefix("study-")
    query = urlencode(restricted(kind, question).to_query(), doseq=True)
    path = reverse(PAGES[what], args=[slug])
    return f"{path}?{query}" if query else path


KIND = ReportKind(
    key="replication",
    fields=("state", "order", *RATINGS),
    build=replication_report,
    present=present,
    cost=lambda size: size.cells * 400,
    parts=whole_study,
    reads_published=True,
    tables=TABLES,
)
