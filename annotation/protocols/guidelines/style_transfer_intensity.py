"""Guidelines of style transfer intensity."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.practising import BOTTOM, MIDDLE, TOP, item
from annotation.protocols.guidelines.wording import (
    SOURCE_AND_OUTPUT,
    UNSURE,
    about_examples,
    document,
    point,
    quoted,
    rewriting,
    styles,
)
from annotation.protocols.questions import Scale


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    return document(
        "## What you are asked",
        f"{SOURCE_AND_OUTPUT} You see both. **How different are their styles?** You answer on a "
        "scale from 1, identical style, to 5, completely different style.",
        styles(asked),
        "Compare the styles alone. Whether the output keeps what the source says, whether it has "
        "mistakes, and which of the two you like better makes no difference here.",
        "## The scale",
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        point(
            5,
            "completely different style",
            "You would put the two texts into different styles without a doubt. Nothing in the "
            "output sounds like the source.",
            rewriting(asked, case, "full"),
        ),
        point(
            3,
            "partly different style",
            "Some of the output has another style and some has kept that of the source, or all of "
            "it lies between the two.",
            rewriting(asked, case, "half"),
        ),
        point(
            1,
            "identical style",
            "The output has the style of the source. The source unchanged is always 1, and so is "
            "the source in other words of the same style.",
            rewriting(asked, case, "source"),
        ),
        "**4 and 2** lie between: 4 if a trace of the source’s style is left, 2 if there is no "
        "more than a trace of another style.",
        UNSURE,
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items: style changed, changed in part, unchanged."""
    examples = asked.examples
    half = examples.style.rewriting("half").why
    return [
        item(
            asked,
            examples.content,
            "full",
            "Nothing in the output sounds like the source any more: this is a 5, and a 4 is not "
            "far off.",
            style=TOP,
        ),
        item(
            asked,
            examples.style,
            "half",
            f"{half} The style has changed in part, which is a 3.",
            style=MIDDLE,
        ),
        item(
            asked,
            examples.fluency,
            "source",
            "The output is the source unchanged. Equal texts have the same style, which is a 1.",
            style=BOTTOM,
        ),
    ]


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the ends and the middle of the scale."""
    return {"1": "identical", "3": "partly different", "5": "completely different"}


GUIDELINES = Guidelines(text, practice, labels)
