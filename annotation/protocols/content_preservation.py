"""Content preservation: how much of the source's content the output keeps, 1 to 5.

By default both texts are shown with their style words masked, so that a change of style is not
taken for a change of content.
"""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.criteria import Guidelines
from annotation.protocols.guidelines.practising import BOTTOM, MIDDLE, TOP, item
from annotation.protocols.guidelines.wording import (
    about_examples,
    content,
    document,
    heading,
    joined,
    listed,
    point,
    quoted,
    rewriting,
    source_and_output,
    unsure,
)
from annotation.protocols.language import translated
from annotation.protocols.layouts.layout import SOURCE_AND_OUTPUT
from annotation.protocols.protocol import HIGHLIGHT, Protocol, Setting
from annotation.protocols.questions import Scale

MASKED = Setting(
    "masked", "Mask style words in both texts", True, "Off shows the plain texts, for comparison."
)
PROTOCOL = Protocol(
    key="content_preservation",
    title="Content preservation",
    shown="source and output, style words masked or plain",
    layout=SOURCE_AND_OUTPUT,
    scale=(1, 5),
    aspects={"content": "How similar is what the two texts say?"},
    labels=((1, "completely different content"), (5, "identical content")),
    settings=(MASKED, HIGHLIGHT),
)


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    return document(
        heading(translated("What you are asked")),
        joined(
            source_and_output(),
            translated(
                "You see both. **How similar is what they say?** You answer on a scale from 1, "
                "completely different content, to 5, identical content."
            ),
        ),
        content(asked),
        translated("Mistakes of language do not count, as long as you see what is meant."),
        _about_style(asked),
        heading(translated("The scale")),
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        point(
            5,
            translated("identical content"),
            translated(
                "Both texts say the same of the same things. They may use other words for it."
            ),
            rewriting(asked, case, "full"),
        ),
        point(
            3,
            translated("the main point is the same"),
            translated("Both speak of the same matter, but a detail is missing, added or changed."),
            rewriting(asked, case, "drifted"),
        ),
        point(
            1,
            translated("completely different content"),
            translated(
                "The output speaks of something else, or hardly anything is left of what the "
                "source says."
            ),
            rewriting(asked, case, "unrelated"),
        ),
        translated(
            "**4 and 2** lie between: 4 if no more than a small detail differs, 2 if no more than "
            "a detail is the same."
        ),
        unsure(),
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items: content kept, kept in part, lost."""
    examples = asked.examples
    drifted = asked.why(examples.content, "drifted")
    unrelated = asked.why(examples.fluency, "unrelated")
    same = (
        translated(
            "What you can read says the same in both texts, so the content is the same: a 5. What "
            "is behind {placeholder} does not count.",
            placeholder=asked.placeholder,
        )
        if asked.is_masked
        else translated("Only the style changed; all that the source says is still there: a 5.")
    )
    return [
        item(asked, examples.style, "full", same, content=TOP),
        item(
            asked,
            examples.content,
            "drifted",
            joined(
                drifted, translated("The main point is kept and details are not, which is a 3.")
            ),
            content=MIDDLE,
        ),
        item(
            asked,
            examples.fluency,
            "unrelated",
            joined(unrelated, translated("However well it reads, this is a 1.")),
            content=BOTTOM,
        ),
    ]


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the ends and the middle of the scale."""
    return {
        "1": translated("completely different"),
        "3": translated("same main point"),
        "5": translated("identical"),
    }


def _about_style(asked: Asked) -> str:
    if not asked.is_masked:
        return translated(
            "The styles of the two texts differ on purpose. Leave the style aside: imagine that "
            "the words that carry it are covered, and compare the rest."
        )
    return document(
        heading(translated("What {placeholder} stands for", placeholder=asked.placeholder)),
        translated(
            "Words that carry the style are covered in both texts, so that a change of style is "
            "not taken for a change of content. `{placeholder}` stands for one or several words "
            "that you do not see.",
            placeholder=asked.placeholder,
        ),
        listed(
            translated(
                "Take it that whatever is covered is all right, and compare the words that you can "
                "read."
            ),
            translated(
                "The texts may have `{placeholder}` in different places, or in one of them only. "
                "That alone is no difference of content.",
                placeholder=asked.placeholder,
            ),
            translated("Do not guess which words are covered."),
        ),
    )


GUIDELINES = Guidelines(text, practice, labels)
