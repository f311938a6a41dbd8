"""Likert aspects: style strength, content, fluency and overall, 1 to 5 each."""

from unicodedata import normalize

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.criteria import Guidelines, practice, sections
from annotation.protocols.guidelines.wording import (
    about_examples,
    document,
    heading,
    joined,
    quoted,
    source_and_output,
    unsure,
    which_target,
)
from annotation.protocols.language import counted, translated
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


def text(asked: Asked) -> str:
    """Return the guidelines."""
    shown = bool(asked.rules.setting(asked.config, "show_reference"))
    several = len(asked.questions) > 1
    return document(
        heading(translated("What you are asked")),
        joined(
            source_and_output(),
            counted(
                "You see both, and answer one question about the output on a scale from 1 to 5. "
                "More is better.",
                "You see both, and answer {number} questions about the output on a scale from 1 to "
                "5. More is better.",
                len(asked.questions),
            ),
        ),
        _reference() if shown else "",
        which_target(asked) if asked.rules.shows_target_style(asked.config) else "",
        translated("Judge each question by itself: an output may be a 5 in one and a 1 in another.")
        if several
        else "",
        translated("5, 3 and 1 are described here; 4 and 2 lie between them."),
        about_examples(asked),
        quoted(source=asked.text(asked.examples.guide, "source")),
        sections(asked),
        unsure(),
    )


def _reference() -> str:
    return translated(
        "A **reference** is how a person rewrote the same source. It is one good answer and not "
        "the only one: an output that differs from it can be just as good. Where none is shown, "
        "judge without it."
    )


GUIDELINES = Guidelines(text, practice)
