"""What makes one output better than another, for guidelines that compare outputs."""

from collections.abc import Mapping

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.wording import content, document, styles, target
from annotation.protocols.language import translated
from corpus.vocabulary.aspects import find_aspect

STEPS = (
    "An output is to say what the source says, to have the {target}, and to read well. Compare in "
    "this order:",
    "**Content.** An output that says something else, or leaves out most of it, loses.",
    "**Style.** Of outputs that keep the content, the one that has more of the {target} wins.",
    "**Fluency.** If content and style are alike, the one that reads better wins. A text that can "
    "hardly be understood loses in any case.",
)
ALONE: Mapping[str, str] = {
    "style": "Which output has more of the {target}? Content and mistakes do not count.",
    "content": "Which output keeps more of what the source says? Style and mistakes do not count.",
    "fluency": "Which output is more correct and easier to read? Style and content do not count.",
    "naturalness": "Which output could rather have been written by a person? Style and content do "
    "not count.",
}
OTHER = "Compare this quality alone; let nothing else that is good or bad about them count."


def _steps(asked: Asked) -> str:
    start, *steps = (translated(each, target=target(asked)) for each in STEPS)
    return document(start, "\n".join(f"{n}. {words}" for n, words in enumerate(steps, start=1)))


def what_is_better(asked: Asked) -> str:
    """Say what counts for each question."""
    asked_for = [question.aspect for question in asked.questions]
    parts = []
    for aspect in asked_for:
        known = find_aspect(aspect)
        if known.key == "overall":
            words = _steps(asked)
        else:
            words = translated(ALONE.get(known.key, OTHER), target=target(asked))
        if len(asked_for) > 1:
            words = translated("**{title}.** {words}", title=translated(known.title), words=words)
        parts.append(words)
    keys = {find_aspect(aspect).key for aspect in asked_for}
    if keys & {"overall", "style"}:
        parts.append(styles(asked))
    if keys & {"overall", "content"}:
        parts.append(content(asked))
    return document(*parts)
