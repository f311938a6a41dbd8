"""Questions about what was read, on the mapping page: the likely answer is chosen already."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.tabular.questions.question import Question

PREFIX = "answer-"


@dataclass(frozen=True)
class Asked:
    """One question with the answer that is chosen."""

    question: Question
    chosen: str

    @property
    def name(self) -> str:
        """Of the inputs."""
        return f"{PREFIX}{self.question.name}"

    @property
    def choices(self) -> list[tuple[str, str, bool]]:
        """Value and label of each answer, and whether it is chosen."""
        return [(a.value, a.label, a.value == self.chosen) for a in self.question.answers]


class QuestionsForm:
    """The questions of an import.

    Parameters
    ----------
    known
        What was answered at an earlier attempt.
    data
        What was sent; None if nothing was.
    """

    def __init__(self, known: Mapping[str, str], data: Mapping[str, Any] | None = None) -> None:
        sent = {
            key.removeprefix(PREFIX): str(data[key])
            for key in data or ()
            if data and key.startswith(PREFIX)
        }
        self.answers = {**known, **sent}
        self.asked: list[Asked] = []

    def ask(self, answered: Sequence[tuple[Question, str]]) -> None:
        """Take the questions, each with its answer or the proposed one."""
        self.asked = [Asked(question, value) for question, value in answered]

    @property
    def chosen(self) -> dict[str, str]:
        """The answers to what was asked."""
        return {each.question.name: each.chosen for each in self.asked}

    @property
    def new(self) -> list[Asked]:
        """Questions that nobody has seen yet."""
        return [each for each in self.asked if each.question.name not in self.answers]
