"""The page that says how many ratings a metric saves."""

from typing import Any

from django.urls import reverse

from analysis.charts.chart import format_number
from analysis.estimates.evaluation import check_scale_aspect
from analysis.filter.question import RATINGS, SETTINGS
from analysis.reports.kind import Report, ReportKind, Size
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.reports.saving.figures import NAME, saving_figures
from analysis.reports.saving.report import RESULTS, SavingReport, saving_report
from analysis.reports.saving.summary import saving_sentences
from analysis.reports.saving.tables import TABLES
from analysis.reports.stand_in.summary import share
from analysis.shown_numbers import number
from analysis.stats.saving.segment_choice import DRAWS
from analysis.wording import aspect_heading, column_labels, reasons, selection_words

WORDS_OF_TEXT = 20
"""In the mean, about; by them the work of comparing texts is estimated."""


def present(report: Report[SavingReport], address: Address) -> dict[str, Any]:
    """Return one row a metric, one a choice of segments, and one a mean of a system."""
    content = report.content
    labels = column_labels(content.rows)
    counts = sorted({each.segments for each in content.chosen})
    return {
        "selection": selection_words(address.question),
        "picked": picked_words(content.picked, content.aspect, address),
        "summary": saving_sentences(content),
        "aspect": content.aspect,
        "heading": aspect_heading(content.aspect),
        "systems": content.systems,
        "rated": content.rated,
        "pairs": content.pairs,
        "everything": share(content.all_told_apart),
        "rows": [
            {
                "name": label,
                "trained": row.trained,
                "numbers": [number(row.results[name]) for name in RESULTS],
            }
            for label, row in zip(labels, content.rows, strict=True)
        ],
        "counts_of_segments": counts,
        "columns_of_chosen": 1 + 2 * len(counts),
        "chosen": _chosen(content, counts),
        "means": [
            {
                "name": each.name,
                "system": each.system,
                "unrated": each.unrated,
                "classical": number(each.classical),
                "powered": number(each.powered),
                "worth": format_number(each.worth, 2),
            }
            for each in content.means
        ],
        "weighted": [
            {
                "system": each.system,
                "plain": format_number(each.plain, 3),
                "numbers": [number(each.hajek), number(each.horvitz_thompson)],
            }
            for each in content.weighted
        ],
        "weighted_how": content.weighted_how,
        "left_out": reasons(content.left_out),
    }


def _chosen(content: SavingReport, counts: list[int]) -> list[dict[str, Any]]:
    """Return one row a way of choosing, in two groups: judged by all ratings, or by half of them.

    A cell is None where there are fewer segments.
    """
    groups: dict[str, dict[str, dict[int, tuple[str, str]]]] = {}
    for each in content.chosen:
        shares = share(each.told_apart), share(each.in_full_order)
        groups.setdefault(each.judged_by, {}).setdefault(each.by, {})[each.segments] = shares
    return [
        {
            "judged_by": judged_by,
            "rows": [
                {"by": by, "shares": [cells.get(count) for count in counts]}
                for by, cells in rows.items()
            ],
        }
        for judged_by, rows in groups.items()
    ]


def _cost(size: Size) -> int:
    of_metrics = len(size.columns) * size.cells * size.systems * 8
    return of_metrics + (DRAWS * size.systems + WORDS_OF_TEXT * 8) * size.cells


KIND = ReportKind(
    key="saving",
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=(
        *("aspect", "candidates", *SETTINGS, "direction", "humans", *RATINGS),
        *("metric", "systems", "leave_out", "where", "seed"),
    ),
    content=SavingReport,
    build=lambda asked: saving_report(asked.data, asked.question, asked.progress),
    check=check_scale_aspect,
    present=present,
    cost=_cost,
    tables=TABLES,
    figures=saving_figures,
    picture=(NAME,),
    sections={NAME: "What a rating is worth"},
    offers=aspect_offer,
    for_owners=lambda study: {"choose_at": reverse("study-choose-segments", args=[study.slug])},
)
