"""Guidelines of direct assessment."""

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


def text(asked: Asked) -> str:
    """Return the guidelines."""
    several = len(asked.questions) > 1
    return document(
        "## What you are asked",
        f"{SOURCE_AND_OUTPUT} You see both, and give the output "
        f"{'a number' if not several else f'{len(asked.questions)} numbers'} from 0 to 100 by "
        "moving a slider. A slider that you have not touched is no answer.",
        which_target(asked) if asked.rules.shows_target_style(asked.config) else "",
        "Judge each question by itself: an output may be perfect in one and worthless in another."
        if several
        else "",
        "Use the whole scale. The points that are described here are marks on it; take any number "
        "between them, such as 85 for what is nearly perfect or 20 for what is nearly worthless.",
        about_examples(asked),
        quoted(source=asked.text(asked.examples.guide, "source")),
        sections(asked),
        UNSURE,
    )


GUIDELINES = Guidelines(text, practice)
