"""Ranking: up to five outputs of one source put in order, blind.

Each output gets its rank as a rating: 1 for the best, the same rank for a tie.
"""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.comparing import four_outputs, three_outputs, what_is_better
from annotation.protocols.guidelines.criteria import Guidelines
from annotation.protocols.guidelines.practising import order
from annotation.protocols.guidelines.wording import document, heading, joined, unsure, which_target
from annotation.protocols.language import translated
from annotation.protocols.layouts.several import MOST, ORDER
from annotation.protocols.protocol import TIES, Protocol, Setting
from annotation.protocols.questions import Scale

PROTOCOL = Protocol(
    key="ranking",
    title="Ranking",
    shown="up to five outputs of one source, blind",
    layout=ORDER,
    scale=(1, MOST),
    aspects={"overall": "Which place does this output take? 1 is the best."},
    labels=((1, "best"),),
    settings=(TIES, Setting("show_source", "Show the source", True)),
)


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
                "You see the rewritings, the **outputs**, in random order, below the source."
            )
            if source
            else translated("You see the rewritings, the **outputs**, in random order."),
            translated(
                "**Give each output its place:** 1 is the best, 2 the next, and so on. Only the "
                "order counts, not by how much one is better."
            ),
        ),
        which_target(asked),
        heading(translated("What makes an output better")),
        what_is_better(asked),
        heading(translated("An order as an example")),
        four_outputs(asked, [_place(number) for number in range(1, 5)]),
        translated(
            "A good way: find the best and the worst first, then put the others between them."
        ),
        _when_equal(asked),
        unsure(),
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items, in which style, content and fluency decide in turn."""
    return three_outputs(asked, order, (1, 2, 3), _place(2), _place(3))


def _place(number: int) -> str:
    return translated("Place {number}", number=number)


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the first place."""
    return {"1": translated("best")}


def _when_equal(asked: Asked) -> str:
    if asked.ties:
        return translated(
            "**Ties:** give two outputs the same place only if neither is better after a second "
            "look; the next place is then left out, as in 1, 1, 3."
        )
    return translated(
        "**No ties:** every place is given once. If two outputs seem equal, put first the one that "
        "you would rather keep."
    )


GUIDELINES = Guidelines(text, practice, labels)
