"""Guidelines of relative naturalness."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.practising import item
from annotation.protocols.guidelines.wording import UNSURE, document, quoted


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    return document(
        "## What you are asked",
        "You see two texts, A and B. One is a rewriting of the other; which is which is not "
        "shown, and the sides change at random. **Which text is more natural, as if a person had "
        "written it?**",
        "## What counts, and what does not",
        "A text is natural if a person who knows the language well could have written it. Look at "
        "word order, at words that go together, and at whether the text makes sense.",
        "- The style does not count. A rude, a chatty and a stiff text can all be natural; slang "
        "and short forms are natural where people write so.\n"
        "- It does not count which text is longer, more correct in what it claims, or nearer to "
        "your own opinion.\n"
        "- The two texts need not say the same.",
        "## When to choose which",
        "**Choose the text that stumbles less.** Here it is A: B can be understood, but no person "
        "writes so.",
        quoted(a=asked.text(case, "source"), b=asked.text(case, "clumsy")),
        "**Choose a text that makes sense over one that makes none.** Here it is B.",
        quoted(a=asked.text(case, "broken"), b=asked.text(case, "source")),
        _when_equal(asked),
        quoted(a=asked.text(case, "full"), b=asked.text(case, "source")),
        UNSURE,
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items: a broken and a clumsy output, and one as natural as its source."""
    examples = asked.examples
    broken = examples.fluency.rewriting("broken").why
    clumsy = examples.content.rewriting("clumsy").why
    equal = (
        "“No difference” is right here."
        if asked.ties
        else "Either answer is fine here; choose the one that you would rather expect to read."
    )
    return [
        item(
            asked,
            examples.fluency,
            "broken",
            f"One text is a jumble. {broken} The other is natural, whatever its style.",
            naturalness="source",
        ),
        item(
            asked, examples.content, "clumsy", f"One text stumbles. {clumsy}", naturalness="source"
        ),
        item(
            asked,
            examples.style,
            "full",
            "Both texts could come from a person. They differ in style, which does not count. "
            f"{equal}",
            naturalness="tie",
        ),
    ]


def _when_equal(asked: Asked) -> str:
    if asked.ties:
        return (
            "**Choose “No difference” only if** you have read both texts twice and neither is more "
            "natural. Here both are."
        )
    return (
        "**If both are equally natural, or equally odd,** choose the one that you would rather "
        "expect to read; there is no answer between the two. Do not always take the same side. "
        "Here both are natural, and either answer is fine."
    )


GUIDELINES = Guidelines(text, practice)
