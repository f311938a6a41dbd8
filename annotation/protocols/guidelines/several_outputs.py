"""What guidelines of several outputs at once have in common: an example of four, and practice."""

from collections.abc import Callable, Sequence
from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.wording import (
    about_examples,
    document,
    joined,
    point,
    quoted,
    rewriting,
)
from annotation.protocols.language import labelled, translated

FOUR = (
    ("full", "it does all three", "It says the same, has the target style, and reads well."),
    (
        "half",
        "the style is there in part",
        "The content is kept, but not all of it has the target style.",
    ),
    (
        "source",
        "the style is not there",
        "The source unchanged keeps the content, and does nothing that was asked.",
    ),
    (
        "unrelated",
        "the content is lost",
        "A text in the target style that says something else is no rewriting.",
    ),
)
"""Rewritings from the best to the worst, with what is said of each."""


def four_outputs(asked: Asked, answers: Sequence[str]) -> str:
    """Return four rewritings of one source with the answer that each earns, the best first."""
    case = asked.examples.guide
    return document(
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        *(
            point(answer, translated(title), translated(criterion), rewriting(asked, case, kind))
            for answer, (kind, title, criterion) in zip(answers, FOUR, strict=True)
        ),
    )


def three_outputs(
    asked: Asked,
    made: Callable[[Asked, str, Sequence[tuple[str, Any]], str], dict[str, Any]],
    answers: tuple[Any, Any, Any],
    middle: str,
    last: str,
) -> list[dict[str, Any]]:
    """Return practice items, in which style, content and fluency decide in turn.

    Parameters
    ----------
    asked
    made
        Makes an item of a source, its outputs with their answers, and feedback.
    answers
        To the best, the next and the worst output.
    middle, last
        What feedback calls the second and the third.
    """
    style, content, fluency = asked.examples.style, asked.examples.content, asked.examples.fluency
    best, neither, worst = answers
    half, drifted = asked.why(style, "half"), asked.why(content, "drifted")
    broken = asked.why(fluency, "broken")
    return [
        made(
            asked,
            asked.text(style, "source"),
            [
                (asked.text(style, "half"), neither),
                (asked.text(style, "full"), best),
                (asked.text(style, "source"), worst),
            ],
            joined(
                translated("All keep the content, so style decides."),
                labelled(middle, half),
                labelled(last, translated("It is the source unchanged.")),
            ),
        ),
        made(
            asked,
            asked.text(content, "source"),
            [
                (asked.text(fluency, "unrelated"), worst),
                (asked.text(content, "drifted"), neither),
                (asked.text(content, "full"), best),
            ],
            joined(
                translated("All have the target style, so content decides."),
                labelled(middle, drifted),
                labelled(last, translated("It says something else.")),
            ),
        ),
        made(
            asked,
            asked.text(fluency, "source"),
            [
                (asked.text(fluency, "full"), best),
                (asked.text(fluency, "broken"), worst),
                (asked.text(fluency, "clumsy"), neither),
            ],
            joined(
                translated("Content and style are alike, so fluency decides."),
                labelled(middle, translated("It can be understood.")),
                labelled(last, broken),
            ),
        ),
    ]
