"""Style transfer intensity: how different the styles of source and output are, 1 to 5."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.criteria import Guidelines
from annotation.protocols.guidelines.practising import BOTTOM, MIDDLE, TOP, item
from annotation.protocols.guidelines.wording import (
    about_examples,
    document,
    heading,
    joined,
    point,
    quoted,
    rewriting,
    source_and_output,
    styles,
    unsure,
)
from annotation.protocols.language import translated
from annotation.protocols.layouts.layout import SOURCE_AND_OUTPUT
from annotation.protocols.protocol import HIGHLIGHT, Protocol
from annotation.protocols.questions import Scale

PROTOCOL = Protocol(
    key="style_transfer_intensity",
    title="Style transfer intensity",
    shown="source and output",
    layout=SOURCE_AND_OUTPUT,
    scale=(1, 5),
    aspects={"style": "How different are the styles of the two texts?"},
    labels=((1, "identical style"), (5, "completely different style")),
    settings=(HIGHLIGHT,),
    # Foreign words make a style more different, not less.
    degraded_is_worse=False,
)


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    return document(
        heading(translated("What you are asked")),
        joined(
            source_and_output(),
            translated(
                "You see both. **How different are their styles?** You answer on a scale from 1, "
                "identical style, to 5, completely different style."
            ),
        ),
        styles(asked),
        translated(
            "Compare the styles alone. Whether the output keeps what the source says, whether it "
            "has mistakes, and which of the two you like better makes no difference here."
        ),
        heading(translated("The scale")),
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        point(
            5,
            translated("completely different style"),
            translated(
                "You would put the two texts into different styles without a doubt. Nothing in the "
                "output sounds like the source."
            ),
            rewriting(asked, case, "full"),
        ),
        point(
            3,
            translated("partly different style"),
            translated(
                "Some of the output has another style and some has kept that of the source, or "
                "all of it lies between the two."
            ),
            rewriting(asked, case, "half"),
        ),
        point(
            1,
            translated("identical style"),
            translated(
                "The output has the style of the source. The source unchanged is always 1, and so "
                "is the source in other words of the same style."
            ),
            rewriting(asked, case, "source"),
        ),
        translated(
            "**4 and 2** lie between: 4 if a trace of the source’s style is left, 2 if there is no "
            "more than a trace of another style."
        ),
        unsure(),
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items: style changed, changed in part, unchanged."""
    examples = asked.examples
    half = asked.why(examples.style, "half")
    return [
        item(
            asked,
            examples.content,
            "full",
            translated(
                "Nothing in the output sounds like the source any more: this is a 5, and a 4 is "
                "not far off."
            ),
            style=TOP,
        ),
        item(
            asked,
            examples.style,
            "half",
            joined(half, translated("The style has changed in part, which is a 3.")),
            style=MIDDLE,
        ),
        item(
            asked,
            examples.fluency,
            "source",
            translated(
                "The output is the source unchanged. Equal texts have the same style, which is a 1."
            ),
            style=BOTTOM,
        ),
    ]


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the ends and the middle of the scale."""
    return {
        "1": translated("identical"),
        "3": translated("partly different"),
        "5": translated("completely different"),
    }


GUIDELINES = Guidelines(text, practice, labels)
