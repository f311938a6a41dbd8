"""Guidelines of content preservation, on masked and on plain texts."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.guidelines import Guidelines
from annotation.protocols.guidelines.practising import BOTTOM, MIDDLE, TOP, item
from annotation.protocols.guidelines.wording import (
    SOURCE_AND_OUTPUT,
    UNSURE,
    about_examples,
    content,
    document,
    point,
    quoted,
    rewriting,
)
from annotation.protocols.questions import Scale


def text(asked: Asked) -> str:
    """Return the guidelines."""
    case = asked.examples.guide
    return document(
        "## What you are asked",
        f"{SOURCE_AND_OUTPUT} You see both. **How similar is what they say?** You answer on a "
        "scale from 1, completely different content, to 5, identical content.",
        content(asked),
        "Mistakes of language do not count, as long as you see what is meant.",
        _about_style(asked),
        "## The scale",
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        point(
            5,
            "identical content",
            "Both texts say the same of the same things. They may use other words for it.",
            rewriting(asked, case, "full"),
        ),
        point(
            3,
            "the main point is the same",
            "Both speak of the same matter, but a detail is missing, added or changed.",
            rewriting(asked, case, "drifted"),
        ),
        point(
            1,
            "completely different content",
            "The output speaks of something else, or hardly anything is left of what the source "
            "says.",
            rewriting(asked, case, "unrelated"),
        ),
        "**4 and 2** lie between: 4 if no more than a small detail differs, 2 if no more than a "
        "detail is the same.",
        UNSURE,
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items: content kept, kept in part, lost."""
    examples = asked.examples
    drifted = examples.content.rewriting("drifted").why
    unrelated = examples.fluency.rewriting("unrelated").why
    same = (
        "What you can read says the same in both texts, so the content is the same: a 5. What is "
        f"behind {asked.placeholder} does not count."
        if asked.is_masked
        else "Only the style changed; all that the source says is still there: a 5."
    )
    return [
        item(asked, examples.style, "full", same, content=TOP),
        item(
            asked,
            examples.content,
            "drifted",
            f"{drifted} The main point is kept and details are not, which is a 3.",
            content=MIDDLE,
        ),
        item(
            asked,
            examples.fluency,
            "unrelated",
            f"{unrelated} However well it reads, this is a 1.",
            content=BOTTOM,
        ),
    ]


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the ends and the middle of the scale."""
    return {"1": "completely different", "3": "same main point", "5": "identical"}


def _about_style(asked: Asked) -> str:
    if not asked.is_masked:
        return (
            "The styles of the two texts differ on purpose. Leave the style aside: imagine that "
            "the words that carry it are covered, and compare the rest."
        )
    return document(
        f"## What {asked.placeholder} stands for",
        "Words that carry the style are covered in both texts, so that a change of style is not "
        f"taken for a change of content. `{asked.placeholder}` stands for one or several words "
        "that you do not see.",
        "- Take it that whatever is covered is all right, and compare the words that you can "
        f"read.\n- The texts may have `{asked.placeholder}` in different places, or in one of them "
        "only. That alone is no difference of content.\n- Do not guess which words are covered.",
    )


GUIDELINES = Guidelines(text, practice, labels)
