"""Guidelines of ranking."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.better import what_is_better
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.practising import order
from annotation.protocols.guidelines.several_outputs import four_outputs, three_outputs
from annotation.protocols.guidelines.wording import UNSURE, document, which_target
from annotation.protocols.questions import Scale


def text(asked: Asked) -> str:
    """Return the guidelines."""
    source = asked.rules.setting(asked.config, "show_source")
    return document(
        "## What you are asked",
        "The same source text was rewritten several times, to give it another style. You see the "
        "rewritings, the **outputs**, in random order"
        f"{', below the source' if source else ''}. **Give each output its place:** 1 is the best, "
        "2 the next, and so on. Only the order counts, not by how much one is better.",
        which_target(asked),
        "## What makes an output better",
        what_is_better(asked),
        "## An order as an example",
        four_outputs(asked, ("Place 1", "Place 2", "Place 3", "Place 4")),
        "A good way: find the best and the worst first, then put the others between them.",
        _when_equal(asked),
        UNSURE,
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items, in which style, content and fluency decide in turn."""
    return three_outputs(asked, order, (1, 2, 3), "place 2", "place 3")


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the first place."""
    return {"1": "best"}


def _when_equal(asked: Asked) -> str:
    if asked.ties:
        return (
            "**Ties:** give two outputs the same place only if neither is better after a second "
            "look; the next place is then left out, as in 1, 1, 3."
        )
    return (
        "**No ties:** every place is given once. If two outputs seem equal, put first the one that "
        "you would rather keep."
    )


GUIDELINES = Guidelines(text, practice, labels)
