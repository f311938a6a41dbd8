"""The address of a report page: the question, and what is shown of the answer."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args
from urllib.parse import urlencode

from django.http import Http404, QueryDict

from analysis.charts.theme import ThemeName
from analysis.data.selection import NONE, measures_of, metric_columns
from analysis.data.study_data import StudyData
from analysis.estimates.evaluation import aspects_of
from analysis.filter.question import AGREEMENT_HEADLINE, Question, QuestionError
from analysis.reports.catalogue import KINDS
from analysis.tables.marks import BELOW
from analysis.wording import HEADLINES

MOST_PANELS = 4
"""Metrics side by side in one picture."""
LISTS = ("panels",)
"""Choices of several values."""


@dataclass(frozen=True)
class Choices:
    """What a reader chose to see of a report; empty for the default.

    Parameters
    ----------
    bars
        Statistic of agreement in the bar chart.
    curve
        Headline correlation in the top-N and last-N curves.
    scatter
        Label of the metric in the scatter plot, as `scatter_labels` gives it.
    drawn
        Label of the metric in the curves of the subgroups report.
    distribution
        Label of the metric in the distributions, as `analysis.wording.column_labels` gives it.
    style_axis, other_axis
        Labels of the metrics of the trade-off plot in the report of metric scores by system.
    panels
        Labels of the metrics that the same report shows side by side, at most four.
    marks
        How significance is marked in tables.
    """

    bars: str = ""
    curve: str = ""
    scatter: str = ""
    distribution: str = ""
    drawn: str = ""
    style_axis: str = ""
    other_axis: str = ""
    panels: tuple[str, ...] = ()
    marks: str = ""

    def __post_init__(self) -> None:
        for name, value, known in (
            ("bars", self.bars, AGREEMENT_HEADLINE),
            ("curve", self.curve, tuple(HEADLINES)),
            ("marks", self.marks, tuple(BELOW)),
        ):
            if value and value not in known:
                raise QuestionError(f"{name}={value}: expected one of {', '.join(known)}")
        if len(self.panels) > MOST_PANELS:
            raise QuestionError(
                f"panels: choose at most {MOST_PANELS} metrics, not {len(self.panels)}"
            )


VERSION = "v"
"""Names the stored report in addresses of pictures, so that browsers may keep them."""
EARLY = "-early"
"""Ends the version of pictures that are drawn from what is ready of a report."""
OPEN = "open"
"""Names the sections of the page that are open, joined by commas."""
TABLE = "table-"
"""Begins the names of parameters that say how a table is shown, see `static/js/table.js`."""
SHOWN = {
    "state": ("", "reached", "differs", "undefined"),
    "order": ("", "mismatches"),
    "theme": ("", *get_args(ThemeName)),
}
_CHOICES = tuple(field.name for field in fields(Choices))


@dataclass(frozen=True)
class Address:
    """A query string, understood.

    Parameters
    ----------
    question
        What is asked of the report.
    choices
        What the figures show.
    state, order
        Which published values are listed, and in which order.
    theme
        Colours of a picture.
    """

    question: Question
    choices: Choices
    state: str = ""
    order: str = ""
    theme: ThemeName = "light"

    @property
    def question_query(self) -> str:
        """The query string of the question alone, as the API takes it."""
        return urlencode(self.question.to_query(), doseq=True)

    def query(self, **changes: str) -> str:
        """Return the query string with some parts changed; empty ones are left out."""
        parts: dict[str, Any] = dict(self.question.to_query())
        parts |= {name: getattr(self.choices, name) for name in _CHOICES}
        parts |= {"state": self.state, "order": self.order} | changes
        return urlencode({name: value for name, value in parts.items() if value}, doseq=True)


def read_address(query: QueryDict) -> Address:
    """Read a query string.

    Raises
    ------
    QuestionError
        If a name is unknown or a value impossible.
    """
    given: dict[str, Any] = {
        name: values
        for name, values in query.lists()
        if name not in (VERSION, OPEN, *SHOWN, *_CHOICES) and not name.startswith(TABLE)
    }
    shown = {name: query.get(name, "") for name in SHOWN}
    for name, value in shown.items():
        if value not in SHOWN[name]:
            expected = ", ".join(filter(None, SHOWN[name]))
            raise QuestionError(f"{name}={value}: expected one of {expected}")
    return Address(
        question=Question.parse(given),
        choices=Choices(**{name: _chosen(query, name) for name in _CHOICES}),
        state=shown["state"],
        order=shown["order"],
        theme="dark" if shown["theme"] == "dark" else "light",
    )


def _chosen(query: QueryDict, name: str) -> Any:
    if name in LISTS:
        return tuple(dict.fromkeys(value for value in query.getlist(name) if value))
    return query.get(name, "")


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
