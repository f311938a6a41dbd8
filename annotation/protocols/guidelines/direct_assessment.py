"""Guidelines of direct assessment."""

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
    several = len(asked.questions) > 1
    return document(
        heading(translated("What you are asked")),
        joined(
            source_and_output(),
            counted(
                "You see both, and give the output a number from 0 to 100 by moving a slider. A "
                "slider that you have not touched is no answer.",
                "You see both, and give the output {number} numbers from 0 to 100 by moving a "
                "slider. A slider that you have not touched is no answer.",
                len(asked.questions),
            ),
        ),
        which_target(asked) if asked.rules.shows_target_style(asked.config) else "",
        translated(
            "Judge each question by itself: an output may be perfect in one and worthless in "
            "another."
        )
        if several
        else "",
        translated(
            "Use the whole scale. The points that are described here are marks on it; take any "
            "number between them, such as 85 for what is nearly perfect or 20 for what is nearly "
            "worthless."
        ),
        about_examples(asked),
        quoted(source=asked.text(asked.examples.guide, "source")),
        sections(asked),
        unsure(),
    )


GUIDELINES = Guidelines(text, practice)
