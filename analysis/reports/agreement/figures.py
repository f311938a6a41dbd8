"""The figures of the agreement report: bars per batch and over all."""

from collections.abc import Callable, Sequence
from functools import partial

from analysis.charts.bars import agreement_bars
from analysis.charts.chart import Chart
from analysis.charts.table import Row
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.agreement.report import ALL, HEADLINE, AgreementReport, AgreementRow
from analysis.reports.kind import Figures
from analysis.result_values import result_values
from analysis.wording import AGREEMENT_NAMES

HUMANS = {"in": "with human-written systems", "out": "without human-written systems", "": ""}


def agreement_figures(
    content: AgreementReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws agreement, with and without human-written systems where there are."""
    statistic = choices.bars or HEADLINE[0]
    states = dict.fromkeys(row.humans for row in content.numbers)
    made: dict[str, Callable[[], Chart]] = {}
    for humans in states:
        rows = [
            row for row in content.numbers if (row.humans, row.statistic) == (humans, statistic)
        ]
        if any(row.result.value is not None for row in rows):
            name = {"in": "agreement-with-human", "out": "agreement-without-human"}
            key = name.get(humans, "agreement") if len(states) > 1 else "agreement"
            attribute = content.batch_attribute
            made[key] = partial(_agreement_bars, rows, attribute, statistic, humans, key, note)
    return made


def _agreement_bars(
    rows: Sequence[AgreementRow], attribute: str, statistic: str, humans: str, name: str, note: str
) -> Chart:
    bars: list[Row] = [
        {
            "batch": "all" if row.batch == ALL else f"{attribute} {row.batch}",
            "aspect": row.aspect,
            "overall": row.batch == ALL,
            **result_values(row.result),
        }
        for row in rows
    ]
    return agreement_bars(
        bars,
        title=_title(f"Agreement between raters{f' per {attribute}' if attribute else ''}", humans),
        statistic=AGREEMENT_NAMES[statistic],
        subtitle=note,
        name=name,
    )


def _title(title: str, humans: str) -> str:
    return f"{title}, {HUMANS[humans]}" if humans else title
