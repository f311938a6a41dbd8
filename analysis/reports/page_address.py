"""The address of a report page: the question, and what is shown of the answer."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast, get_args
from urllib.parse import urlencode

from django.http import Http404, QueryDict

from analysis.charts.theme import ThemeName
from analysis.data.selection import NONE, measures_of, metric_columns
from analysis.data.study_data import StudyData
from analysis.estimates.evaluation import aspects_of
from analysis.filter.field import FilterField, any_text, one_of, several
from analysis.filter.question import AGREEMENT_HEADLINE, Question, QuestionError
from analysis.reports.catalogue import KINDS
from analysis.tables.marks import WORDS
from analysis.wording import AGREEMENT_NAMES, HEADLINES

MOST_PANELS = 4
"""Metrics side by side in one picture."""


@dataclass(frozen=True)
class Choices:
    """What a reader chose to see of a report.

    Metrics are named by their labels, as the report gives them; without a choice the first is
    shown.
    """

    bars: str = one_of(
        {name: AGREEMENT_NAMES[name] for name in AGREEMENT_HEADLINE}, "Statistic in the chart"
    )
    curve: str = one_of({"": "the one asked for", **HEADLINES}, "Statistic in the curves")
    scatter: str = any_text("Metric in the scatter plot")
    distribution: str = any_text("Metric in the distribution")
    drawn: str = any_text("Metric in the curves")
    style_axis: str = any_text("Style in the trade-off")
    other_axis: str = any_text("Against it")
    panels: tuple[str, ...] = several("Metrics side by side")
    marks: str = one_of(WORDS, "Marks of significance")
    state: str = one_of(
        {"": "all values"} | {n: n for n in ("reached", "differs", "undefined")}, "Show"
    )
    order: str = one_of({"": "as printed", "mismatches": "mismatches first"}, "Order")

    def __post_init__(self) -> None:
        for name, declared in CHOICES.items():
            if fault := declared.fault(getattr(self, name)):
                raise QuestionError(f"{name}={fault}")
        if len(self.panels) > MOST_PANELS:
            raise QuestionError(
                f"panels: choose at most {MOST_PANELS} metrics, not {len(self.panels)}"
            )


CHOICES: Mapping[str, FilterField] = {
    each.name: each.metadata["filter"] for each in fields(Choices)
}
"""The fields that choose what is shown, by their names."""
VERSION = "v"
"""Names the stored report in addresses of pictures, so that browsers may keep them."""
EARLY = "-early"
"""Ends the version of pictures that are drawn from what is ready of a report."""
OPEN = "open"
"""Names the sections of the page that are open, joined by commas."""
TABLE = "table-"
"""Begins the names of parameters that say how a table is shown, see `static/js/table.js`."""
THEME = "theme"
"""Names the colours of a picture."""


@dataclass(frozen=True)
class Address:
    """A query string, understood.

    Parameters
    ----------
    question
        What is asked of the report.
    choices
        What is shown of the answer.
    theme
        Colours of a picture.
    """

    question: Question
    choices: Choices
    theme: ThemeName = "light"

    @property
    def question_query(self) -> str:
        """The query string of the question alone, as the API takes it."""
        return urlencode(self.question.to_query(), doseq=True)

    def query(self, **changes: str) -> str:
        """Return the query string with some parts changed; empty ones are left out."""
        parts: dict[str, Any] = dict(self.question.to_query())
        parts |= {
            name: value
            for name, value in vars(self.choices).items()
            if value != getattr(Choices, name)
        }
        parts |= changes
        return urlencode({name: value for name, value in parts.items() if value}, doseq=True)


def read_address(query: QueryDict) -> Address:
    """Read a query string.

    Raises
    ------
    QuestionError
        If a name is unknown or a value impossible.
    """
    asked: dict[str, Any] = {}
    chosen: dict[str, Any] = {}
    for name, values in query.lists():
        given = list(dict.fromkeys(filter(None, values)))
        if name in CHOICES and given:
            chosen[name] = tuple(given) if name == "panels" else given[-1]
        elif name not in (VERSION, OPEN, THEME, *CHOICES) and not name.startswith(TABLE):
            asked[name] = values
    theme = query.get(THEME) or "light"
    if theme not in get_args(ThemeName):
        raise QuestionError(f"theme={theme}: expected one of {', '.join(get_args(ThemeName))}")
    return Address(Question.parse(asked), Choices(**chosen), cast(ThemeName, theme))


def check_kind(kind: str) -> None:
    """Refuse a kind of report that there is not.

    Raises
    ------
    Http404
        Naming those that there are.
    """
    if kind not in KINDS:
        raise Http404(f"no report {kind!r}; there are: {', '.join(KINDS)}")


def opened_sections(query: QueryDict) -> list[str]:
    """Return the names of the sections that an address opens."""
    return [name for name in query.get(OPEN, "").split(",") if name]


def check_question(data: StudyData, question: Question) -> None:
    """Refuse names that a study does not have, so that a typing error is no empty report.

    `data` has the ratings that the question is about.

    Raises
    ------
    QuestionError
        If an aspect, a metric, the setting of metrics or the attribute of batches is unknown.
    """
    named = measures_of(data, question.aspect) if question.aspect else ()
    # Of categories no report but one makes scores, so that the others refuse them by themselves.
    if question.aspect and not any(m.name in data.judgements.by_category for m in named):
        aspects_of(data, question.aspect)
    if question.metric:
        metric_columns(data, Question(metric=question.metric))
    _require("batch", question.batch, sorted(data.segment_attribute_names))
    for name in ("compared_to", "text_setting"):
        settings = sorted({getattr(run, name) for run in data.runs} - {""})
        _require(name, getattr(question, name), [*settings, NONE])


def _require(name: str, value: str, known: Sequence[str]) -> None:
    if value and value not in known:
        raise QuestionError(f"{name}={value}: this study has {', '.join(known) or 'none'}")


def command_line(slug: str, kind: str, query: Mapping[str, Sequence[str]]) -> str:
    """Return the command that gives a report again."""
    options = [
        part
        for name, values in query.items()
        for value in values
        for part in (f"--{name.replace('_', '-')}", value)
    ]
    return shlex.join(["manage.py", "report", slug, "--kind", kind, "--format", "json", *options])
