"""Guidelines of Likert aspects."""

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.several_aspects import practice, sections
from annotation.protocols.guidelines.wording import (
    SOURCE_AND_OUTPUT,
    UNSURE,
    about_examples,
    document,
    quoted,
    which_target,
)

_REFERENCE = (
    "A **reference** is how a person rewrote the same source. It is one good answer and not the "
    "only one: an output that differs from it can be just as good. Where none is shown, judge "
    "without it."
)


def text(asked: Asked) -> str:
    """Return the guidelines."""
    shown = bool(asked.rules.setting(asked.config, "show_reference"))
    several = len(asked.questions) > 1
    count = f"{len(asked.questions)} questions" if several else "one question"
    return document(
        "## What you are asked",
        f"{SOURCE_AND_OUTPUT} You see both, and answer {count} about the output on a scale from "
        "1 to 5. More is better.",
        _REFERENCE if shown else "",
        which_target(asked) if asked.rules.shows_target_style(asked.config) else "",
        "Judge each question by itself: an output may be a 5 in one and a 1 in another."
        if several
        else "",
        "5, 3 and 1 are described here; 4 and 2 lie between them.",
        about_examples(asked),
        quoted(source=asked.text(asked.examples.guide, "source")),
        sections(asked),
        UNSURE,
    )


GUIDELINES = Guidelines(text, practice)
