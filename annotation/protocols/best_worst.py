"""Best–worst scaling: which of up to four outputs is the best and which is the worst, blind."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.comparing import four_outputs, three_outputs, what_is_better
from annotation.protocols.guidelines.criteria import Guidelines
from annotation.protocols.guidelines.practising import several
from annotation.protocols.guidelines.wording import document, heading, joined, unsure, which_target
from annotation.protocols.language import translated
from annotation.protocols.layouts.best_worst import BEST_WORST
from annotation.protocols.protocol import Protocol, Setting

PROTOCOL = Protocol(
    key="best_worst",
    title="Best–worst scaling",
    shown="up to four outputs of one source, blind",
    layout=BEST_WORST,
    scale=(-1, 1),
    aspects={"overall": "Which output is the best, and which is the worst?"},
    settings=(Setting("show_source", "Show the source", True),),
)


BEST, NEITHER, WORST = "best", "neither", "worst"


def text(asked: Asked) -> str:
    """Return the guidelines."""
    source = asked.rules.setting(asked.config, "show_source")
    return document(
        heading(translated("What you are asked")),
        joined(
            translated(
                "The same source text was rewritten several times, to give it another style."
            ),
            translated(
                "You see up to four rewritings, the **outputs**, in random order, below the source."
            )
            if source
            else translated("You see up to four rewritings, the **outputs**, in random order."),
            translated(
                "**Choose the best output and the worst output.** Nothing is asked about the "
                "others."
            ),
        ),
        which_target(asked),
        heading(translated("What makes an output better")),
        what_is_better(asked),
        heading(translated("An example")),
        four_outputs(
            asked,
            (translated("Best"), translated("Neither"), translated("Neither"), translated("Worst")),
        ),
        translated(
            "Read all outputs before you choose. If two outputs are equally good, choose as the "
            "best the one that you would rather keep; if two are equally bad, choose as the worst "
            "the one that you would rather do without."
        ),
        unsure(),
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items, in which style, content and fluency decide in turn."""
    answers = (BEST, NEITHER, WORST)
    return three_outputs(
        asked, several, answers, translated("Middle output"), translated("Worst output")
    )


GUIDELINES = Guidelines(text, practice)
