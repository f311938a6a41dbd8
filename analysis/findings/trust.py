"""The card on whether ratings can be trusted: agreement on each aspect, over usual values."""

from analysis.charts.chart import counted
from analysis.charts.small_dots import Band
from analysis.findings.card import Card, Source, pictures, row
from analysis.reports.agreement.report import AgreementReport
from analysis.reports.agreement.summary import (
    FIRM,
    TENTATIVE,
    agreements,
    alpha_values,
    unanimity,
    verdict,
)

BANDS = (Band("low", TENTATIVE), Band("tentative", FIRM), Band("reliable", 1.0))
MOST_ASPECTS = 8


def trust(source: Source) -> Card:
    """Say on which aspects agreement suffices."""
    content: AgreementReport = source.report("agreement").content
    asked = agreements(content)
    known = [each for each in asked if each.result.value is not None]
    if not known:
        reason = asked[0].result.reason if asked else "nobody rated on a scale or chose"
        same = " ".join(unanimity(each) for each in asked if each.is_unanimous)
        return Card(missing=same or f"Agreement between raters cannot be computed: {reason}.")
    shown = asked[:MOST_ASPECTS]
    rows = [row(each.asked, each.result) for each in shown]
    more = f" · {len(shown)} of {len(asked)} aspects" if len(asked) > len(shown) else ""
    return Card(
        lead=verdict(known),
        rest=alpha_values(known),
        note=counted(max(each.raters for each in known), "rater")
        + f" · {max(each.units for each in known):,} outputs{more}",
        pictures=pictures(
            rows,
            title="Agreement between raters",
            statistic="Krippendorff’s α",
            bands=BANDS,
            name="finding-trust",
        ),
    )
