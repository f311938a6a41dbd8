"""Guidelines of ranking."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.better import what_is_better
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.practising import order
from annotation.protocols.guidelines.wording import (
    UNSURE,
    about_examples,
    document,
    point,
    quoted,
    rewriting,
    which_target,
)
from annotation.protocols.questions import Scale


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    source = asked.rules.setting(asked.config, "show_source")
    return document(
        "## What you are asked",
        "The same source text was rewritten several times, to give it another style. You see the "
        "rewritings, the **outputs**, in random order"
        f"{', below the source' if source else ''}. **Give each output its place:** 1 is the best, "
        "2 the next, and so on. Only the order counts, not by how much one is better.",
        which_target(asked),
        "## What makes an output better",
        what_is_better(asked),
        "## An order as an example",
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        point(
            "Place 1",
            "it does all three",
            "It says the same, has the target style, and reads well.",
            rewriting(asked, case, "full"),
        ),
        point(
            "Place 2",
            "the style is there in part",
            "The content is kept, but not all of it has the target style.",
            rewriting(asked, case, "half"),
        ),
        point(
            "Place 3",
            "the style is not there",
            "The source unchanged keeps the content, and does nothing that was asked.",
            rewriting(asked, case, "source"),
        ),
        point(
            "Place 4",
            "the content is lost",
            "A text in the target style that says something else is no rewriting.",
            rewriting(asked, case, "unrelated"),
        ),
        "A good way: find the best and the worst first, then put the others between them.",
        _when_equal(asked),
        UNSURE,
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items, in which style, content and fluency decide in turn."""
    style, content, fluency = (
        asked.examples.style,
        asked.examples.content,
        asked.examples.fluency,
    )
    half, drifted = style.rewriting("half").why, content.rewriting("drifted").why
    broken = fluency.rewriting("broken").why
    return [
        order(
            asked,
            asked.text(style, "source"),
            [
                (asked.text(style, "half"), 2),
                (asked.text(style, "full"), 1),
                (asked.text(style, "source"), 3),
            ],
            f"All keep the content, so style decides. Of place 2: {half} Place 3 is the source "
            "unchanged.",
        ),
        order(
            asked,
            asked.text(content, "source"),
            [
                (asked.text(fluency, "unrelated"), 3),
                (asked.text(content, "drifted"), 2),
                (asked.text(content, "full"), 1),
            ],
            f"All have the target style, so content decides. Of place 2: {drifted} Place 3 says "
            "something else altogether.",
        ),
        order(
            asked,
            asked.text(fluency, "source"),
            [
                (asked.text(fluency, "full"), 1),
                (asked.text(fluency, "broken"), 3),
                (asked.text(fluency, "clumsy"), 2),
            ],
            "Content and style are alike, so fluency decides. Place 2 can be understood. Of place "
            f"3: {broken}",
        ),
    ]


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the first place."""
    return {"1": "best"}


def _when_equal(asked: Asked) -> str:
    if asked.ties:
        return (
            "**Ties:** give two outputs the same place only if neither is better after a second "
            "look; the next place is then left out, as in 1, 1, 3."
        )
    return (
        "**No ties:** every place is given once. If two outputs seem equal, put first the one that "
        "you would rather keep."
    )


GUIDELINES = Guidelines(text, practice, labels)
