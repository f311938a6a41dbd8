"""What guidelines that compare outputs share: what is better, and an example of four."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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

WORDS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def _steps(asked: Asked) -> str:
    start, *steps = (translated(each, target=target(asked)) for each in WORDS["steps"])
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
            said = WORDS["alone"].get(known.key, WORDS["other"])
            words = translated(said, target=target(asked))
        if len(asked_for) > 1:
            words = translated("**{title}.** {words}", title=translated(known.title), words=words)
        parts.append(words)
    keys = {find_aspect(aspect).key for aspect in asked_for}
    if keys & {"overall", "style"}:
        parts.append(styles(asked))
    if keys & {"overall", "content"}:
        parts.append(content(asked))
    return document(*parts)


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
                zip(answers, WORDS["four"], strict=True), start=1
            )
        ),
    )
