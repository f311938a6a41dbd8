"""What an answer on an aspect is worth, given how far raters agree on it."""

from analysis.filter.question import Question
from analysis.findings.card import Source
from analysis.reports.agreement.report import AgreementReport
from analysis.reports.agreement.summary import TENTATIVE, agreements
from analysis.reports.summaries import aspect_words


def caution(source: Source, aspect: str) -> str:
    """Say that agreement on an aspect was not shown to suffice; nothing where it was.

    Nothing is said either where agreement cannot be computed: the first card says so.
    """
    content: AgreementReport = source.report("agreement", Question()).content
    asked = aspect_words(aspect)
    known = [each for each in agreements(content) if each.asked == asked]
    unsafe = any(each.result.value is not None and each.least < TENTATIVE for each in known)
    return f"Agreement between raters was not shown to suffice on {asked}." if unsafe else ""
