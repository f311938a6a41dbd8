"""What makes one output better than another, for guidelines that compare outputs."""

from collections.abc import Mapping

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.wording import content, document, styles, target
from corpus.aspects import aspect_of

_STEPS = """An output is to say what the source says, to have {target}, and to read well. Compare \
in this order:

1. **Content.** An output that says something else, or leaves out most of it, loses.
2. **Style.** Of outputs that keep the content, the one that has more of {target} wins.
3. **Fluency.** If content and style are alike, the one that reads better wins. A text that can \
hardly be understood loses in any case."""
_ALONE: Mapping[str, str] = {
    "style": "Which output has more of {target}? Content and mistakes do not count.",
    "content": "Which output keeps more of what the source says? Style and mistakes do not count.",
    "fluency": "Which output is more correct and easier to read? Style and content do not count.",
    "naturalness": "Which output could rather have been written by a person? Style and content do "
    "not count.",
}
_OTHER = "Compare this quality alone; let nothing else that is good or bad about them count."


def what_is_better(asked: Asked) -> str:
    """Say what counts for each question."""
    asked_for = [question.aspect for question in asked.questions]
    parts = []
    for aspect in asked_for:
        known = aspect_of(aspect)
        words = _STEPS if known.key == "overall" else _ALONE.get(known.key, _OTHER)
        title = f"**{known.title}.** " if len(asked_for) > 1 else ""
        parts.append(title + words.replace("{target}", target(asked)))
    keys = {aspect_of(aspect).key for aspect in asked_for}
    if keys & {"overall", "style"}:
        parts.append(styles(asked))
    if keys & {"overall", "content"}:
        parts.append(content(asked))
    return document(*parts)
