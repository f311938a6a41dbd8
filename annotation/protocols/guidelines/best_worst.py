"""Guidelines of best–worst scaling."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.better import what_is_better
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.practising import several
from annotation.protocols.guidelines.several_outputs import four_outputs, three_outputs
from annotation.protocols.guidelines.wording import UNSURE, document, which_target

BEST, NEITHER, WORST = "best", "neither", "worst"


def text(asked: Asked) -> str:
    """Return the guidelines."""
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
        four_outputs(asked, ("Best", "Neither", "Neither", "Worst")),
        "Read all outputs before you choose. If two outputs are equally good, choose as the best "
        "the one that you would rather keep; if two are equally bad, choose as the worst the one "
        "that you would rather do without.",
        UNSURE,
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items, in which style, content and fluency decide in turn."""
    answers = (BEST, NEITHER, WORST)
    return three_outputs(asked, several, answers, "the middle one", "the worst")


GUIDELINES = Guidelines(text, practice)
