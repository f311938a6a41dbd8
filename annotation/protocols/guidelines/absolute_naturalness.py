"""Guidelines of absolute naturalness."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.criteria import judged, points
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.practising import BOTTOM, MIDDLE, TOP, item
from annotation.protocols.guidelines.wording import UNSURE, document
from annotation.protocols.questions import Scale


def text(asked: Asked) -> str:
    """Return the guidelines."""
    [scale] = asked.questions
    assert isinstance(scale, Scale)  # noqa: S101  (this protocol asks for a number)
    return document(
        "## What you are asked",
        "You see one text. **How natural is it, as if a person had written it?** You answer on a "
        "scale from 1, not natural at all, to 5, completely natural.",
        judged(asked, scale.aspect),
        "Do not guess whether a person or a program wrote the text: a program can write naturally, "
        "and a person can stumble.",
        "## The scale",
        *points(asked, scale),
        "**4 and 2** lie between: 4 if one small thing sounds odd, 2 if only parts of the text "
        "make sense.",
        UNSURE,
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items: natural, clumsy, broken."""
    examples = asked.examples
    clumsy = examples.content.rewriting("clumsy").why
    broken = examples.fluency.rewriting("broken").why
    return [
        item(
            asked,
            examples.style,
            "full",
            "A person could have written this just so: a 5. Its style does not count.",
            naturalness=TOP,
        ),
        item(asked, examples.content, "clumsy", f"{clumsy} This is a 3.", naturalness=MIDDLE),
        item(asked, examples.fluency, "broken", f"{broken} This is a 1.", naturalness=BOTTOM),
    ]


GUIDELINES = Guidelines(text, practice)
