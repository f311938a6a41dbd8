"""The page that says who may stand in for a rater."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.charts.chart import format_number
from analysis.charts.dots import metric_dots
from analysis.filter.question import DRAWS, SELECTED, Question
from analysis.reports.figure import Figure, figure
from analysis.reports.kind import Early, Report, ReportKind, Size, aspect_offer
from analysis.reports.metrics_listed import drawn_rows, labelled
from analysis.reports.page_address import Address, Choices
from analysis.reports.stand_in.content import DIFFERENCE, MEAN, RESULTS, SHARE, TOLD, StandInReport
from analysis.reports.stand_in.report import stand_in_report, tested_aspect
from analysis.reports.table import Table
from analysis.tables.flat_table import METRIC_COLUMNS, PRINTED, RESULT_COLUMNS
from analysis.verdicts.metrics import stand_in_sentences

NAME = "stand-in"


def stand_in_figures(
    content: StandInReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the advantage of each candidate, beside that of raters."""
    if all(row.results["advantage"].value is None for row in content.rows):
        return
    shares = [person.results["advantage"].value for person in content.people]
    known = [value for value in shares if value is not None]
    middle = float(np.median(known)) if known else None
    yield figure(
        NAME,
        metric_dots,
        lambda: drawn_rows(content.rows, lambda row: row.results["advantage"]),
        f"dashed: the median rater among the others, {format_number(middle)}" if known else "",
        title=f"How often as good as a rater of {content.aspect}",
        statistic=f"share of {'pairs' if content.answered_by == 'choices' else 'outputs'}",
        ceiling=middle,
    )


TABLES: tuple[Table[Any], ...] = (
    Table(
        "stand-in",
        "Judges and metrics by the alternative annotator test",
        "rows",
        (
            *(*METRIC_COLUMNS, "aspect", "verdict", "outputs_needed", "fitted_line"),
            *("statistic", *RESULT_COLUMNS),
        ),
        printed=("metric", "aspect", "verdict", "statistic", *PRINTED),
    ),
    Table(
        "stand-in-raters",
        "Judges and metrics compared with each rater",
        "rows.beside",
        (
            *(*METRIC_COLUMNS, "aspect", "rater", "outputs"),
            *("judge_as_good", "rater_as_good", "p_value", "holds", "falls_short"),
        ),
        printed=("metric", "aspect", "rater", "outputs", "judge_as_good", "p_value", "holds"),
    ),
    Table(
        "raters-as-judges",
        "Each rater tested as a judge among the others",
        "people",
        ("rater", "aspect", "verdict", "statistic", *RESULT_COLUMNS),
    ),
    Table(
        "stand-in-parts",
        "Judges and metrics in directions and systems",
        "parts",
        ("metric", "aspect", "divided_by", "part", "verdict", "statistic", *RESULT_COLUMNS),
        printed=("metric", "divided_by", "part", "verdict", "statistic", *PRINTED),
    ),
    Table(
        "errors-of-judges",
        "How often judges and metrics are right about outputs rated at or above the cut",
        "errors",
        ("metric", "aspect", "cut", "rated", "statistic", *RESULT_COLUMNS),
        printed=("metric", "aspect", "cut", "statistic", *PRINTED),
    ),
    Table(
        "told-by-judges",
        "Shares, means and differences estimated from ratings and from judges with known errors",
        "told",
        ("metric", "aspect", "of", "system", "unrated", "told_by", *RESULT_COLUMNS),
        printed=("metric", "of", "system", "told_by", *PRINTED),
    ),
    Table(
        "answers-told-by-judges",
        "Shares of single answers estimated from ratings and from judges with known errors",
        "answers",
        (
            *("metric", "aspect", "answer", "system", "rated", "unrated", "undecided"),
            *("told_by", *RESULT_COLUMNS),
        ),
        printed=("metric", "answer", "system", "told_by", *PRINTED),
    ),
)


def present(report: Report[StandInReport], address: Address) -> dict[str, Any]:
    """Return one row a candidate, one a rater, and the candidates beside raters and in parts."""
    content = report.content
    return {
        "summary": stand_in_sentences(content),
        "columns": [_COLUMNS[name] for name in _shown(content)],
        "rows": labelled(content.rows, _shown(content)),
        "compared": [*content.rows, *content.people],
        "told": _told(content),
    }


_COLUMNS = {
    "winning-rate": "Winning rate against raters, ω",
    "advantage": "As good as a rater, ρ",
    "severity": "Severity",
    "spread": "Spread",
    "agreement": "r with raters",
    "alpha-with": "α with it",
}


def _shown(content: StandInReport) -> tuple[str, ...]:
    """Return the results that candidates have; raters lack the last one."""
    found = {name for each in content.rows for name in each.results}
    found |= {name for each in content.people for name in each.results}
    return tuple(name for name in RESULTS if name in {*found, RESULTS[-1]})


_TOLD_OF = {SHARE: "Shares of outputs", MEAN: "Means", DIFFERENCE: "Differences of systems"}
_TOLD_BY = {
    "rated": "Ratings alone",
    "judge": "The judge alone",
    "corrected": "Judge, corrected",
    "powered": "Both together",
}


def _told(content: StandInReport) -> list[dict[str, Any]]:
    """Return a table of shares, one of means and one of differences, where there are some."""
    tables = []
    for of, heading in _TOLD_OF.items():
        rows = [each for each in content.told if each.of == of]
        by = [name for name in TOLD if any(name in each.results for each in rows)]
        shown = [vars(each) | {"numbers": [each.results[name] for name in by]} for each in rows]
        if shown:
            columns = [_TOLD_BY[name] for name in by]
            tables.append({"of": of, "heading": heading, "columns": columns, "rows": shown})
    return tables


def _cost(size: Size) -> int:
    judges = len(size.data.by_models.annotators) if size.data.by_models else 0
    one = size.cells * 40 + size.segments * size.question.resamples // 4
    return (len(size.columns) + judges) * one


KIND = ReportKind(
    key="stand-in",
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=("aspect", "epsilon", "cut", "candidates", *SELECTED, *DRAWS),
    build=stand_in_report,
    check=tested_aspect,
    present=present,
    early=Early(cost=lambda size: len(size.columns) * size.cells * 40),
    cost=_cost,
    tables=TABLES,
    figures=stand_in_figures,
    picture=(NAME,),
    sections={NAME: "As good as a rater"},
    offers=aspect_offer,
)
