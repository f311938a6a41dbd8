"""Direct assessment: style, content and fluency on sliders from 0 to 100."""

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
from annotation.protocols.protocol import HIGHLIGHT, Protocol, Setting

ASPECTS = {
    "style": "How well does the output have the target style?",
    "content": "How much of the source's content does the output keep?",
    "fluency": "How fluent is the output?",
}
PROTOCOL = Protocol(
    key="direct_assessment",
    title="Direct assessment",
    shown="source and output",
    layout=SOURCE_AND_OUTPUT,
    scale=(0, 100),
    aspects=ASPECTS,
    labels=((0, "not at all"), (50, "half"), (100, "perfectly")),
    settings=(
        Setting("aspects", "Aspects", tuple(ASPECTS), "One slider each."),
        Setting("step", "Step of the sliders", 1.0, "1 by default, down to 0.1.", 0.1, 50.0),
        HIGHLIGHT,
        Setting(
            "siblings",
            "Colour each slider by how it stands to the other outputs of its source",
            False,
            "Only with all outputs of a source on one screen: blue above the mean of the others, "
            "amber below. It draws attention to differences, so say that you used it.",
        ),
    ),
)


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
