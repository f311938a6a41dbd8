"""The page that says which judges and metrics may take the place of a rater."""

from typing import Any

from analysis.filter.question import DRAWS, RATINGS, SETTINGS
from analysis.reports.kind import Early, Report, ReportKind, Size
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.reports.stand_in.content import RESULTS, Candidate, StandInReport
from analysis.reports.stand_in.figures import NAME, stand_in_figures
from analysis.reports.stand_in.known_errors import DIFFERENCE, MEAN, SHARE, TOLD
from analysis.reports.stand_in.report import stand_in_report, tested_aspect
from analysis.reports.stand_in.summary import share, stand_in_sentences
from analysis.reports.stand_in.tables import TABLES
from analysis.shown_numbers import number
from analysis.wording import aspect_heading, column_labels, p_words, reasons, selection_words


def present(report: Report[StandInReport], address: Address) -> dict[str, Any]:
    """Return one row a candidate, one a rater, and the candidates beside raters and in parts."""
    content, question = report.content, address.question
    labels = column_labels(content.rows)
    return {
        "selection": selection_words(question),
        "picked": picked_words(content.picked, content.aspect, address),
        "summary": stand_in_sentences(content),
        "aspect": content.aspect,
        "heading": aspect_heading(content.aspect),
        "raters": content.raters,
        "systems": content.systems,
        "segments": content.segments,
        "epsilon": content.epsilon,
        "alpha": number(content.alpha),
        "answered_by": content.answered_by,
        "columns": [_COLUMNS[name] for name in _shown(content)],
        "reason": content.reason,
        "rows": [
            {
                "name": label,
                "verdict": row.verdict,
                "fitted": row.fitted,
                "prompts": row.prompts if row.prompts > 1 else None,
                "needed": row.outputs_needed if row.verdict == "cannot tell" else None,
                "trained": row.trained,
                "numbers": [number(row.results[name]) for name in _shown(content)],
                "beside": _beside(row),
            }
            for label, row in zip(labels, content.rows, strict=True)
        ],
        "people": [
            {
                "rater": person.rater,
                "verdict": person.verdict,
                "numbers": [number(person.results[name]) for name in _shown(content)[:-1]],
            }
            for person in content.people
        ],
        "parts": [
            {
                "of": part.of,
                "part": part.part,
                "name": part.name,
                "verdict": part.verdict,
                "numbers": [number(part.results[name]) for name in RESULTS[:2]],
            }
            for part in content.parts
        ],
        "cut": None if content.cut is None else f"{content.cut:g}",
        "errors": [
            {
                "name": each.name,
                "rated": each.rated,
                "numbers": [number(each.sensitivity), number(each.specificity)],
            }
            for each in content.errors
        ],
        "told": _told(content),
        "answers": [
            {
                "name": each.name,
                "answer": f"{each.answer:g}",
                "system": each.system,
                "undecided": each.undecided,
                "numbers": [
                    number(result)
                    for result in (each.sensitivity, each.specificity, *each.results.values())
                ],
            }
            for each in content.answers
        ],
        "left_out": reasons(content.left_out),
    }


_COLUMNS = {
    "winning-rate": "Holds beside raters, ω",
    "advantage": "As good as a rater, ρ",
    "severity": "Severity",
    "spread": "Spread",
    "agreement": "r with raters",
    "alpha-with": "α with it",
}


def _shown(content: StandInReport) -> tuple[str, ...]:
    """Return the results that candidates have; raters lack the last one."""
    found = [*(row.results for row in content.rows), *(one.results for one in content.people)]
    return tuple(name for name in RESULTS if name == RESULTS[-1] or any(name in f for f in found))


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
        shown = [
            {
                "name": each.name,
                "system": each.system,
                "unrated": each.unrated,
                "numbers": [number(each.results[name]) for name in by],
            }
            for each in rows
        ]
        if shown:
            columns = [_TOLD_BY[name] for name in by]
            tables.append({"of": of, "heading": heading, "columns": columns, "rows": shown})
    return tables


def _beside(row: Candidate) -> list[dict[str, Any]]:
    return [
        {
            "rater": each.rater,
            "items": each.items,
            "judge": share(each.judge_as_good),
            "rater_share": share(each.rater_as_good),
            "p": "" if each.p_value is None else p_words(each.p_value),
            "outcome": "holds its own"
            if each.holds
            else "falls short"
            if each.falls_short
            else "not shown",
        }
        for each in row.beside
    ]


def _cost(size: Size) -> int:
    judges = len(size.data.by_models.annotators) if size.data.by_models else 0
    one = size.cells * 40 + size.segments * size.question.resamples // 4
    return (len(size.columns) + judges) * one


KIND = ReportKind(
    key="stand-in",
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=(
        *("aspect", "epsilon", "cut", "candidates", *SETTINGS, "direction", "humans", *RATINGS),
        *("metric", "systems", "leave_out", "where", *DRAWS),
    ),
    content=StandInReport,
    build=lambda asked: stand_in_report(
        asked.data, asked.question, asked.bootstrap, asked.progress
    ),
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
