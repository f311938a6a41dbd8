"""What earns the top, the middle and the bottom of a scale, aspect by aspect."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.guidelines.wording import (
    content,
    document,
    heading,
    joined,
    point,
    rewriting,
    styles,
    target,
)
from annotation.protocols.language import labelled, translated
from annotation.protocols.questions import Scale
from corpus.vocabulary.aspects import find_aspect

Level = Sequence[str]
"""A title, a criterion, and the kind of rewriting that is its example."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """How one aspect is judged.

    Parameters
    ----------
    judged
        What counts and what does not.
    top, middle, bottom
        With ``{target}`` where the target style is named.
    labels
        Words for the bottom, the middle and the top on the scale; short, they stand below a slider.
    """

    judged: str
    top: Level
    middle: Level
    bottom: Level
    labels: Sequence[str]


CRITERIA: Mapping[str, Criteria] = {
    aspect: Criteria(**found)
    for aspect, found in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
"""By aspect; `other` is for those that have none of their own."""


def criteria_of(aspect: str) -> Criteria:
    """Return how an aspect is judged, under whichever of its names."""
    return CRITERIA.get(find_aspect(aspect).key, CRITERIA["other"])


def judged(asked: Asked, aspect: str) -> str:
    """Say what counts for an aspect and what does not."""
    meaning = {"style": styles, "content": content}.get(find_aspect(aspect).key)
    words = _filled(asked, criteria_of(aspect).judged)
    return joined(words, meaning(asked)) if meaning else words


def points(asked: Asked) -> str:
    """Return what earns the points of the one scale that is asked for."""
    return document(*(each for scale in scales(asked) for each in _points(asked, scale)))


def scales(asked: Asked) -> list[Scale]:
    """Return the questions that are answered on a scale."""
    return [question for question in asked.questions if isinstance(question, Scale)]


def _points(asked: Asked, scale: Scale) -> list[str]:
    """Return what earns the top, the middle and the bottom of a scale, with examples."""
    criteria = criteria_of(scale.aspect)
    middle = (scale.low + scale.high) / 2
    levels = zip(
        (scale.high, middle, scale.low),
        (criteria.top, criteria.middle, criteria.bottom),
        strict=True,
    )
    return [
        point(
            f"{answer:g}",
            translated(title),
            _filled(asked, criterion),
            *([rewriting(asked, asked.examples.guide, kind)] if kind else []),
        )
        for answer, (title, criterion, kind) in levels
    ]


def labels(scale: Scale) -> dict[str, str]:
    """Return words for the bottom, the middle and the top of a scale."""
    places = (scale.low, (scale.low + scale.high) / 2, scale.high)
    words = criteria_of(scale.aspect).labels
    return {f"{place:g}": translated(text) for place, text in zip(places, words, strict=True)}


def _filled(asked: Asked, words: str) -> str:
    return translated(words, target=target(asked))


def sections(asked: Asked) -> str:
    """Return for each aspect what counts, and what earns the points of its scale."""
    return document(
        *(
            document(
                heading(labelled(translated(find_aspect(question.aspect).title), question.text)),
                judged(asked, question.aspect),
                *_points(asked, question),
            )
            for question in scales(asked)
        )
    )
