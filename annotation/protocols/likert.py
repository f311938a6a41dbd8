"""Likert aspects: style strength, content, fluency and overall, 1 to 5 each."""

from unicodedata import normalize

from annotation.protocols.layouts.layout import SOURCE_AND_OUTPUT
from annotation.protocols.protocol import HIGHLIGHT, SIX_TENTHS, Protocol, Setting

ASPECTS = {
    "style": "How strong is the target style in the output?",
    "content": "How much of the source's content does the output keep?",
    "fluency": "How fluent is the output?",
    "overall": "How good is the output overall?",
}
PROTOCOL = Protocol(
    key="likert",
    title="Likert aspects",
    shown="source, reference and output",
    layout=SOURCE_AND_OUTPUT,
    scale=(1, 5),
    aspects=ASPECTS,
    labels=((1, "very poor"), (3, "fair"), (5, "very good")),
    settings=(
        Setting("aspects", "Aspects", tuple(ASPECTS), "One question each."),
        Setting("show_reference", "Show a reference", True),
        Setting(
            "six_tenths",
            "Multiply the overall of an unchanged output by 0.6",
            False,
            "Stored in addition to the raw answer.",
        ),
        HIGHLIGHT,
    ),
    manner="Likert",
)


def derived_overall(overall: float, unchanged: bool, six_tenths: bool) -> float:
    """Return the overall score that counts.

    Parameters
    ----------
    overall
        As it was given.
    unchanged
        Whether the output is the source (after NFC, outer white space trimmed).
    six_tenths
        Whether the campaign has the rule.

    Examples
    --------
    >>> derived_overall(5, unchanged=True, six_tenths=True)
    3.0
    """
    return overall * SIX_TENTHS if unchanged and six_tenths else overall


def same_text(first: str, second: str) -> bool:
    """Whether two texts are the same after NFC and without outer white space; case counts.

    Examples
    --------
    >>> same_text("Caf\u00e9 ", "Cafe\u0301")
    True
    """
    return normalize("NFC", first).strip() == normalize("NFC", second).strip()
