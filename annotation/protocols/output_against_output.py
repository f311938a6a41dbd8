"""Output against output: which of two systems' outputs of one source is better, blind."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.comparing import what_is_better
from annotation.protocols.guidelines.criteria import Guidelines
from annotation.protocols.guidelines.practising import item
from annotation.protocols.guidelines.wording import (
    about_examples,
    document,
    heading,
    joined,
    quoted,
    unsure,
    which_target,
)
from annotation.protocols.language import translated
from annotation.protocols.layouts.two_sides import TWO_OUTPUTS
from annotation.protocols.protocol import TIES, Protocol, Setting

PROTOCOL = Protocol(
    key="output_against_output",
    title="Output against output",
    shown="two outputs of one source, blind",
    layout=TWO_OUTPUTS,
    aspects={"overall": "Which output is better?"},
    settings=(
        Setting("aspects", "Aspects", ("overall",), "One question each."),
        TIES,
        Setting("show_source", "Show the source", True),
    ),
)


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    source = asked.rules.setting(asked.config, "show_source")
    return document(
        heading(translated("What you are asked")),
        joined(
            translated("The same source text was rewritten twice, to give it another style."),
            translated(
                "You see the two rewritings, the **outputs**, as A and B in random order, below "
                "the source."
            )
            if source
            else translated(
                "You see the two rewritings, the **outputs**, as A and B in random order."
            ),
            translated("**Which output is better?**"),
        ),
        which_target(asked) if asked.rules.shows_target_style(asked.config) else "",
        heading(translated("What makes an output better")),
        what_is_better(asked),
        translated("It does not count which of the two is longer, or on which side it is."),
        heading(translated("When to choose which")),
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        translated("**Content:** A is better, because B has lost a part of what the source says."),
        quoted(a=asked.text(case, "full"), b=asked.text(case, "drifted")),
        translated("**Style:** B is better, because all of it has the target style."),
        quoted(a=asked.text(case, "half"), b=asked.text(case, "full")),
        translated("**Fluency:** A is better, because B can hardly be understood."),
        quoted(a=asked.text(case, "full"), b=asked.text(case, "broken")),
        _when_equal(asked),
        unsure(),
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items, in which style, content and fluency decide in turn."""
    examples = asked.examples
    half = asked.why(examples.style, "half")
    drifted = asked.why(examples.content, "drifted")
    clumsy = asked.why(examples.fluency, "clumsy")
    return [
        item(
            asked,
            examples.style,
            "full",
            joined(
                translated(
                    "Both keep the content and read well, so style decides. Of the other output:"
                ),
                half,
            ),
            against="half",
            overall="output",
            style="output",
        ),
        item(
            asked,
            examples.content,
            "drifted",
            joined(
                translated("Both have the target style, so content decides. Of the worse output:"),
                drifted,
            ),
            against="full",
            overall="against",
            content="against",
        ),
        item(
            asked,
            examples.fluency,
            "full",
            joined(
                translated("Content and style are alike, so fluency decides. Of the worse output:"),
                clumsy,
            ),
            against="clumsy",
            overall="output",
            fluency="output",
            naturalness="output",
        ),
    ]


def _when_equal(asked: Asked) -> str:
    if asked.ties:
        return translated(
            "**Choose “{no_difference}” only if** you have read both outputs twice and find "
            "neither better: because they are the same text, or because each has a weakness that "
            "weighs as much as the other’s.",
            no_difference=translated("No difference"),
        )
    return translated(
        "**If both are equally good or equally bad,** choose the one that you would rather keep; "
        "there is no answer between the two. Do not always take the same side."
    )


GUIDELINES = Guidelines(text, practice)
