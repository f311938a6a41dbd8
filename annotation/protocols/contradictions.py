"""Answers that contradict the texts or each other, where logic alone says so.

Each rule rests on one fact: two texts of a screen are the same. Of the same text, one thing cannot
be better, stronger or different. What is only unlikely is not asked about: an output that is its
source may have the target style already, and masked texts may differ below their masks. Nor is an
answer about which the campaign asks in its own words, or where it leaves no other choice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

from annotation.protocols.language import translated
from annotation.protocols.layouts.best_worst import LETTERS, PICKS
from annotation.protocols.likert import same_text
from annotation.protocols.protocol import TIE, Protocol
from annotation.protocols.questions import Choice, Question, Scale

Relation = Literal["is", "not", "above", "below", "unlike"]
Condition = tuple[str, Relation, str]
"""A field of the screen, and what its answer is in relation to a value or to another field."""
UNCHANGED: Mapping[tuple[str, str], Literal["low", "high"]] = {
    ("style_transfer_intensity", "style"): "low",
    ("content_preservation", "content"): "high",
    ("direct_assessment", "content"): "high",
    ("likert", "content"): "high",
}
"""By protocol and aspect, the one answer about an output that is its source."""
OWN_WORDS = ("questions", "labels")
"""Where a configuration may ask something else than its protocol does."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What does not go together.

    Parameters
    ----------
    words
        For who gave the answers.
    conditions
        When it is so: if all of them hold.
    """

    words: str
    conditions: tuple[Condition, ...]


def contradictions(
    rules: Protocol, config: Mapping[str, Any], source: str, items: Sequence[Sequence[str]]
) -> list[Contradiction]:
    """Return what would contradict itself on a screen.

    Parameters
    ----------
    rules, config
        Protocol and configuration of the campaign.
    source
        As it is shown; empty where it is not.
    items
        Of each item, its text or both of them, as they are shown.
    """
    questions = rules.questions(config)
    if rules.layout.compares:
        return list(_between_sides(questions, items[0]))
    if rules.key == "best_worst":
        return list(_best_and_worst([texts[0] for texts in items]))
    return [
        *_beside_source(rules, config, source, items),
        *_between_outputs(rules, config, [texts[0] for texts in items]),
    ]


def _field(number: int, aspect: str) -> str:
    return f"answer-{number}-{aspect}"


def _between_sides(questions: Sequence[Question], texts: Sequence[str]) -> Iterator[Contradiction]:
    """Yield that one of two equal texts is chosen although there is 'no difference'."""
    if len(texts) == 2 and same_text(*texts):
        words = translated("Texts A and B are the same, but you chose one of them.")
        for question in questions:
            if isinstance(question, Choice) and question.tie:
                yield Contradiction(words, ((_field(0, question.aspect), "not", TIE),))


def _best_and_worst(texts: Sequence[str]) -> Iterator[Contradiction]:
    """Yield that a text is the best and the worst, unless all are the same."""
    if all(same_text(texts[0], text) for text in texts):
        return
    best, worst = (_field(0, pick) for pick in PICKS)
    for one, other in permutations(range(len(texts)), 2):
        if same_text(texts[one], texts[other]):
            words = translated(
                "Outputs {one} and {other} are the same, but one is the best and the other the "
                "worst.",
                one=LETTERS[one].upper(),
                other=LETTERS[other].upper(),
            )
            conditions: tuple[Condition, ...] = (
                (best, "is", LETTERS[one]),
                (worst, "is", LETTERS[other]),
            )
            yield Contradiction(words, conditions)


def _between_outputs(
    rules: Protocol, config: Mapping[str, Any], texts: Sequence[str]
) -> Iterator[Contradiction]:
    """Yield that equal outputs get different answers; in an order only where ties are allowed.

    Each is compared with the next that equals it: if any two differ, two such neighbours do.
    """
    if rules.key == "ranking" and not rules.setting(config, TIE):
        return
    for one, text in enumerate(texts):
        after = range(one + 1, len(texts))
        other = next((each for each in after if same_text(text, texts[each])), None)
        if other is not None:
            for question in rules.questions(config):
                words = translated(
                    "Outputs {one} and {other} are the same, but got different answers: {question}",
                    one=chr(ord("A") + one),
                    other=chr(ord("A") + other),
                    question=question.text,
                )
                fields = (_field(one, question.aspect), _field(other, question.aspect))
                yield Contradiction(words, ((fields[0], "unlike", fields[1]),))


def _beside_source(
    rules: Protocol, config: Mapping[str, Any], source: str, items: Sequence[Sequence[str]]
) -> Iterator[Contradiction]:
    """Yield that an output which is its source has another style, or has lost content."""
    same = [number for number, (text, *_) in enumerate(items) if source and same_text(source, text)]
    if not same or rules.setting(config, "masked", False):
        return
    as_protocol = rules.questions({key: config[key] for key in config if key not in OWN_WORDS})
    for question in rules.questions(config):
        end = UNCHANGED.get((rules.key, question.aspect))
        if end is None or question not in as_protocol or not isinstance(question, Scale):
            continue
        words = (
            translated("The output is the source itself: its style cannot differ.")
            if end == "low"
            else translated("The output is the source itself: it says all of it.")
        )
        relation: Relation = "above" if end == "low" else "below"
        value = f"{question.low if end == 'low' else question.high:g}"
        for number in same:
            yield Contradiction(words, ((_field(number, question.aspect), relation, value),))
