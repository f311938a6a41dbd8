"""What guidelines that compare outputs share: what is better, and an example of four."""

from collections.abc import Mapping, Sequence

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.wording import (
    about_examples,
    content,
    document,
    point,
    quoted,
    rewriting,
    styles,
    target,
)
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


FOUR = (
    ("full", "it does all three", "It says the same, has the target style, and reads well."),
    (
        "half",
        "the style is there in part",
        "The content is kept, but not all of it has the target style.",
    ),
    (
        "source",
        "the style is not there",
        "The source unchanged keeps the content, and does nothing that was asked.",
    ),
    (
        "unrelated",
        "the content is lost",
        "A text in the target style that says something else is no rewriting.",
    ),
)
"""Rewritings from the best to the worst, with what is said of each."""


def four_outputs(asked: Asked, answers: Sequence[str]) -> str:
    """Return four rewritings of one source with the answer that each earns, the best first.

    Answers are messages, in which ``{number}`` is the place.
    """
    case = asked.examples.guide
    return document(
        about_examples(asked),
        quoted(source=asked.text(case, "source")),
        *(
            point(
                translated(answer, number=place),
                translated(title),
                translated(criterion),
                rewriting(asked, case, kind),
            )
            for place, (answer, (kind, title, criterion)) in enumerate(
                zip(answers, FOUR, strict=True), start=1
            )
        ),
    )
