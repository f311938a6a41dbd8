"""Relative naturalness: which of source and output is more natural, blind."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.criteria import Guidelines
from annotation.protocols.guidelines.practising import item
from annotation.protocols.guidelines.wording import (
    document,
    heading,
    joined,
    listed,
    quoted,
    unsure,
)
from annotation.protocols.language import translated
from annotation.protocols.layouts.two_sides import AGAINST_SOURCE
from annotation.protocols.protocol import TIES, Protocol

PROTOCOL = Protocol(
    key="relative_naturalness",
    title="Relative naturalness",
    shown="source and output, order random and hidden",
    layout=AGAINST_SOURCE,
    aspects={"naturalness": "Which text is more natural, as if a person had written it?"},
    settings=(TIES,),
    manner="relative",
)


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    return document(
        heading(translated("What you are asked")),
        translated(
            "You see two texts, A and B. One is a rewriting of the other; which is which is not "
            "shown, and the sides change at random. **Which text is more natural, as if a person "
            "had written it?**"
        ),
        heading(translated("What counts, and what does not")),
        translated(
            "A text is natural if a person who knows the language well could have written it. "
            "Look at word order, at words that go together, and at whether the text makes sense."
        ),
        listed(
            translated(
                "The style does not count. A rude, a chatty and a stiff text can all be natural; "
                "slang and short forms are natural where people write so."
            ),
            translated(
                "It does not count which text is longer, more correct in what it claims, or "
                "nearer to your own opinion."
            ),
            translated("The two texts need not say the same."),
        ),
        heading(translated("When to choose which")),
        translated(
            "**Choose the text that stumbles less.** Here it is A: B can be understood, but no "
            "person writes so."
        ),
        quoted(a=asked.text(case, "source"), b=asked.text(case, "clumsy")),
        translated("**Choose a text that makes sense over one that makes none.** Here it is B."),
        quoted(a=asked.text(case, "broken"), b=asked.text(case, "source")),
        _when_equal(asked),
        quoted(a=asked.text(case, "full"), b=asked.text(case, "source")),
        unsure(),
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items: a broken and a clumsy output, and one as natural as its source."""
    examples = asked.examples
    broken = asked.why(examples.fluency, "broken")
    clumsy = asked.why(examples.content, "clumsy")
    equal = (
        translated("“{no_difference}” is right here.", no_difference=translated("No difference"))
        if asked.ties
        else translated(
            "Either answer is fine here; choose the one that you would rather expect to read."
        )
    )
    return [
        item(
            asked,
            examples.fluency,
            "broken",
            joined(
                translated("One text is a jumble."),
                broken,
                translated("The other is natural, whatever its style."),
            ),
            naturalness="source",
        ),
        item(
            asked,
            examples.content,
            "clumsy",
            joined(translated("One text stumbles."), clumsy),
            naturalness="source",
        ),
        item(
            asked,
            examples.style,
            "full",
            joined(
                translated(
                    "Both texts could come from a person. They differ in style, which does not "
                    "count."
                ),
                equal,
            ),
            naturalness="tie",
        ),
    ]


def _when_equal(asked: Asked) -> str:
    if asked.ties:
        return translated(
            "**Choose “{no_difference}” only if** you have read both texts twice and neither is "
            "more natural. Here both are.",
            no_difference=translated("No difference"),
        )
    return translated(
        "**If both are equally natural, or equally odd,** choose the one that you would rather "
        "expect to read; there is no answer between the two. Do not always take the same side. "
        "Here both are natural, and either answer is fine."
    )


GUIDELINES = Guidelines(text, practice)
