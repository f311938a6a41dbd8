"""Practice items as a campaign keeps them: what is shown, what is expected, and why."""

import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotation.protocols.layouts.texts import Text, Texts
from annotation.protocols.questions import Question

LONGEST_FEEDBACK = 2000
Expected = Mapping[str, Any]


class PracticeError(ValueError):
    """A practice item that cannot be shown or judged; the message says which and why."""


class Finder(typing.Protocol):
    """Finds the texts of a study that practice items name."""

    def output(self, named: Any, where: str) -> Text:
        """Return an output by primary key or by segment and system."""

    def source(self, judged: Text, where: str) -> Text:
        """Return the source of an output."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One practice screen.

    Parameters
    ----------
    items
        What is judged: one text or two; several where texts are judged together. None where the
        owner wrote the texts.
    expected
        Of each item, in terms of the stored answers: a choice, or the ends of a range.
    feedback
    texts
        What the owner wrote, by name; None where outputs of the study are practised.
    """

    items: tuple[Texts, ...]
    expected: tuple[Expected, ...]
    feedback: str
    texts: Mapping[str, Any] | None = None

    @property
    def firsts(self) -> list[Text]:
        """The first text of each item."""
        return [first for first, _ in self.items]

    @property
    def expects(self) -> bool:
        """Whether any answer is expected."""
        return any(self.expected)

    def mixed(self, seed: Sequence[int]) -> "Exercise":
        """Return it with its items in random order: the owner's tells what is expected."""
        order = np.random.default_rng(list(seed)).permutation(len(self.expected))
        expected = tuple(self.expected[place] for place in order)
        if self.texts is not None and "outputs" in self.texts:
            outputs = [self.texts["outputs"][place] for place in order]
            return replace(self, texts={**self.texts, "outputs": outputs}, expected=expected)
        items = tuple(self.items[place] for place in order) if self.items else ()
        return replace(self, items=items, expected=expected)

    def to_dict(self) -> dict[str, Any]:
        """Return it as a campaign keeps it from its start on; it is read like an owner's."""
        kept: dict[str, Any]
        if self.texts is not None:
            several = [dict(each) for each in self.expected]
            expected = several if "outputs" in self.texts else several[0]
            kept = {"texts": dict(self.texts), "expected": expected}
        elif len(self.items) > 1:
            kept = {
                "outputs": [first.pk for first in self.firsts],
                "expected": [dict(each) for each in self.expected],
            }
        else:
            [(first, second)] = self.items
            judged, other = (second, first) if second else (first, None)
            texts = {"output": judged.pk} | ({"against": other.pk} if other else {})
            kept = {**texts, "expected": dict(self.expected[0])}
        return {**kept, "feedback": self.feedback}


def read_expected(
    questions: Sequence[Question], given: Any, sides: Mapping[str, str], where: str
) -> dict[str, Any]:
    """Read which answers are expected to the questions about one item.

    Parameters
    ----------
    questions
    given
        Answers by aspect.
    sides
        Of a comparison, which text is the first: names of texts and ``"first"`` or ``"second"``.
    where

    Raises
    ------
    PracticeError
        If an answer is not possible.
    """
    if not isinstance(given, Mapping):
        raise PracticeError(f"{where}: expected is an object of aspects and answers")
    asked = {question.aspect: question for question in questions}
    result = {}
    for aspect, answer in given.items():
        if aspect not in asked:
            raise PracticeError(f"{where}: {aspect!r} is not asked; asked are: {', '.join(asked)}")
        try:
            result[aspect] = asked[aspect].expected(answer, sides)
        except ValueError as error:
            raise PracticeError(f"{where}, {aspect}: {error}") from None
    return result


def read_feedback(entry: Mapping[str, Any], where: str) -> str:
    """Return what annotators read after their answer.

    Raises
    ------
    PracticeError
        If it is no text, or too long.
    """
    feedback = entry.get("feedback", "")
    if not isinstance(feedback, str) or len(feedback) > LONGEST_FEEDBACK:
        raise PracticeError(f"{where}: feedback is a text of up to {LONGEST_FEEDBACK} characters")
    return feedback
