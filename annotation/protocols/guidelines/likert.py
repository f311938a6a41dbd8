"""Guidelines of Likert aspects."""

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.several_aspects import practice, sections
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
