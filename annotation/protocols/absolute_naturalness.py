"""Absolute naturalness: how natural one text is, 1 to 5."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.criteria import Guidelines, judged, points
from annotation.protocols.guidelines.practising import BOTTOM, MIDDLE, TOP, item
from annotation.protocols.guidelines.wording import document, heading, joined, unsure
from annotation.protocols.language import translated
from annotation.protocols.layouts.layout import TEXT
from annotation.protocols.protocol import Protocol
from annotation.protocols.questions import Scale

PROTOCOL = Protocol(
    key="absolute_naturalness",
    title="Absolute naturalness",
    shown="one text",
    layout=TEXT,
    scale=(1, 5),
    aspects={"naturalness": "How natural is this text, as if a person had written it?"},
    labels=((1, "not natural at all"), (5, "completely natural")),
    manner="absolute",
)


def text(asked: Asked) -> str:
    """Return the guidelines."""
    [scale] = asked.questions
    assert isinstance(scale, Scale)  # noqa: S101  (this protocol asks for a number)
    return document(
        heading(translated("What you are asked")),
        translated(
            "You see one text. **How natural is it, as if a person had written it?** You answer "
            "on a scale from 1, not natural at all, to 5, completely natural."
        ),
        judged(asked, scale.aspect),
        translated(
            "Do not guess whether a person or a program wrote the text: a program can write "
            "naturally, and a person can stumble."
        ),
        heading(translated("The scale")),
        *points(asked, scale),
        translated(
            "**4 and 2** lie between: 4 if one small thing sounds odd, 2 if only parts of the text "
            "make sense."
        ),
        unsure(),
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items: natural, clumsy, broken."""
    examples = asked.examples
    clumsy = asked.why(examples.content, "clumsy")
    broken = asked.why(examples.fluency, "broken")
    return [
        item(
            asked,
            examples.style,
            "full",
            translated("A person could have written this just so: a 5. Its style does not count."),
            naturalness=TOP,
        ),
        item(
            asked,
            examples.content,
            "clumsy",
            joined(clumsy, translated("This is a 3.")),
            naturalness=MIDDLE,
        ),
        item(
            asked,
            examples.fluency,
            "broken",
            joined(broken, translated("This is a 1.")),
            naturalness=BOTTOM,
        ),
    ]


GUIDELINES = Guidelines(text, practice)
