"""What guidelines of several aspects on one scale have in common."""

from typing import Any

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.criteria import judged, points
from annotation.protocols.guidelines.practising import BOTTOM, MIDDLE, TOP, item
from annotation.protocols.guidelines.wording import document, heading, joined
from annotation.protocols.language import labelled, translated
from annotation.protocols.questions import Scale
from corpus.vocabulary.aspects import find_aspect


def sections(asked: Asked) -> str:
    """Return for each aspect what counts, and what earns the points of its scale."""
    return document(
        *(
            document(
                heading(labelled(translated(find_aspect(question.aspect).title), question.text)),
                judged(asked, question.aspect),
                *points(asked, question),
            )
            for question in asked.questions
            if isinstance(question, Scale)
        )
    )


def practice(asked: Asked) -> list[dict[str, Any]]:
    """Return practice items, in each of which another aspect is lacking."""
    examples = asked.examples
    half = asked.why(examples.style, "half")
    clumsy = asked.why(examples.content, "clumsy")
    unrelated = asked.why(examples.fluency, "unrelated")
    good: dict[str, Any] = {"style": TOP, "content": TOP, "fluency": TOP, "naturalness": TOP}
    return [
        item(
            asked,
            examples.style,
            "half",
            joined(
                translated("Style is what is lacking here."),
                half,
                translated("All of the content is kept, and it reads well."),
            ),
            **good | {"style": MIDDLE, "overall": MIDDLE},
        ),
        item(
            asked,
            examples.content,
            "clumsy",
            joined(
                translated("Fluency is what is lacking here."),
                clumsy,
                translated("Style and content are all right: let one weakness count once."),
            ),
            **good | {"fluency": MIDDLE, "naturalness": MIDDLE, "overall": MIDDLE},
        ),
        item(
            asked,
            examples.fluency,
            "unrelated",
            joined(
                translated("Content is what is lacking here."),
                unrelated,
                translated(
                    "It reads well and has the target style, which helps neither the content nor "
                    "the whole."
                ),
            ),
            **good | {"content": BOTTOM, "overall": BOTTOM},
        ),
    ]
