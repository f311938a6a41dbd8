"""Guidelines of best–worst scaling."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.better import what_is_better
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.practising import several
from annotation.protocols.guidelines.wording import (
    UNSURE,
    about_examples,
    document,
    point,
    quoted,
    rewriting,
    which_target,
)

BEST, NEITHER, WORST = "best", "neither", "worst"


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    source = asked.rules.setting(asked.config, "show_source")
    return document(
        "## What you are asked",
        "The same source text was rewritten several times, to give it another style. You see up to "
        "four rewritings, the **outputs**, in random order"
        f"{', below the source' if source else ''}. **Choose the best output and the worst "
        "output.** Nothing is asked about the others.",
        which_target(asked),
        "## What makes an output better",
        what_is_better(asked),
        "## An example",
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        point(
            "Best",
            "it does all three",
            "It says the same, has the target style, and reads well.",
            rewriting(asked, case, "full"),
        ),
        point(
            "Neither",
            "the style is there in part",
            "The content is kept, but not all of it has the target style.",
            rewriting(asked, case, "half"),
        ),
        point(
            "Neither",
            "the style is not there",
            "The source unchanged keeps the content, and does nothing that was asked.",
            rewriting(asked, case, "source"),
        ),
        point(
            "Worst",
            "the content is lost",
            "A text in the target style that says something else is no rewriting.",
            rewriting(asked, case, "unrelated"),
        ),
        "Read all outputs before you choose. If two outputs are equally good, choose as the best "
        "the one that you would rather keep; if two are equally bad, choose as the worst the one "
        "that you would rather do without.",
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
        several(
            asked,
            asked.text(style, "source"),
            [
                (asked.text(style, "half"), NEITHER),
                (asked.text(style, "full"), BEST),
                (asked.text(style, "source"), WORST),
            ],
            f"All keep the content, so style decides. Of the middle one: {half} The worst is the "
            "source unchanged.",
        ),
        several(
            asked,
            asked.text(content, "source"),
            [
                (asked.text(fluency, "unrelated"), WORST),
                (asked.text(content, "drifted"), NEITHER),
                (asked.text(content, "full"), BEST),
            ],
            f"All have the target style, so content decides. Of the middle one: {drifted} The "
            "worst says something else altogether.",
        ),
        several(
            asked,
            asked.text(fluency, "source"),
            [
                (asked.text(fluency, "full"), BEST),
                (asked.text(fluency, "broken"), WORST),
                (asked.text(fluency, "clumsy"), NEITHER),
            ],
            "Content and style are alike, so fluency decides. The middle one can be understood. Of "
            f"the worst: {broken}",
        ),
    ]


GUIDELINES = Guidelines(text, practice)
