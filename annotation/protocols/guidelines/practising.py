"""Practice items that a protocol brings: examples with what is expected, in the field's words."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.protocols.guidelines.asked import Asked, Case
from annotation.protocols.questions import Scale
from corpus.vocabulary.aspects import find_aspect

_TOLERANCE = 0.25
"""How far an answer may lie from what is expected, as a share of the scale."""


def item(
    asked: Asked, case: Case, kind: str, feedback: str, /, *, against: str = "", **expected: Any
) -> dict[str, Any]:
    """Return one practice item.

    Parameters
    ----------
    asked, case
    kind
        Which rewriting is judged.
    feedback
    against
        Which rewriting it is compared with, where two outputs are.
    **expected
        By the key of an aspect, a place on the scale from 0 to 1, or a choice. What the campaign
        does not ask is left out.
    """
    texts = {
        "source": asked.text(case, "source"),
        "reference": asked.text(case, "full") if kind != "full" else "",
        "output": asked.text(case, kind),
        "against": asked.text(case, against) if against else "",
        "target_style": asked.example_styles.target,
    }
    return {
        "texts": _shown(asked, texts),
        "expected": _expected(asked, expected),
        "feedback": feedback,
    }


def several(
    asked: Asked, source: str, outputs: Sequence[tuple[str, Any]], feedback: str
) -> dict[str, Any]:
    """Return one practice item of several outputs, each given with what is expected of it."""
    [question] = asked.questions
    texts = {"source": source, "target_style": asked.example_styles.target}
    return {
        "texts": _shown(asked, texts) | {"outputs": [text for text, _ in outputs]},
        "expected": [{question.aspect: answer} for _, answer in outputs],
        "feedback": feedback,
    }


def _shown(asked: Asked, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return those texts that annotators of this campaign see."""
    names = [text.name for text in asked.rules.layout.own_texts(asked.rules, asked.config)]
    return {name: texts[name] for name in names if texts.get(name)}


def _expected(asked: Asked, wanted: Mapping[str, Any]) -> dict[str, Any]:
    expected: dict[str, Any] = {}
    for question in asked.questions:
        answer = wanted.get(find_aspect(question.aspect).key)
        if answer is None:
            continue
        if isinstance(question, Scale):
            expected[question.aspect] = _around(question, answer)
        elif answer in question.offered(asked.rules.layout.sides):
            expected[question.aspect] = answer
    return expected


def _around(scale: Scale, place: float) -> dict[str, float]:
    span = scale.high - scale.low
    return {"answer": scale.low + place * span, "tolerance": _TOLERANCE * span}
