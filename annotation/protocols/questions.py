"""What an annotator is asked, and how an answer is read and checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose, isfinite

Answers = dict[str, float | str]
LONGEST_ANSWER = 40
MOST_CATEGORIES = 20
"""A scale with more points is continuous: agreement on exact answers says nothing on it."""


class AnswerError(ValueError):
    """Answers that cannot be stored; `problems` says what is wrong with each aspect."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__("; ".join(problems.values()))
        self.problems = dict(problems)


@dataclass(frozen=True, slots=True)
class Scale:
    """A number between two ends.

    Parameters
    ----------
    aspect, text
        What is judged, and the question as it is asked.
    low, high, step
        The answers are low, low + step, … high.
    labels
        Words for some of the answers, by answer.
    """

    aspect: str
    text: str
    low: float
    high: float
    step: float = 1.0
    labels: tuple[tuple[float, str], ...] = ()

    @property
    def points(self) -> tuple[float, ...]:
        """All answers of a short scale; none where there are too many for buttons."""
        steps = round((self.high - self.low) / self.step)
        if steps > 10:
            return ()
        return tuple(self.low + place * self.step for place in range(steps + 1))

    @property
    def is_slider(self) -> bool:
        """Whether there are too many answers for buttons."""
        return not self.points

    @property
    def is_categorical(self) -> bool:
        """Whether it has so few points that agreement on exact answers means something."""
        return round((self.high - self.low) / self.step) < MOST_CATEGORIES

    def read(self, given: str) -> float:
        """Return the number that was given.

        Raises
        ------
        ValueError
            If it is none, or not on the scale.

        Examples
        --------
        >>> Scale("style", "How strong?", 0, 100, 0.1).read("36.7")
        36.7
        """
        try:
            value = float(given)
        except ValueError:
            raise ValueError(f"{given[:LONGEST_ANSWER]!r} is not a number") from None
        if not isfinite(value) or not self.low <= value <= self.high:
            raise ValueError(f"{given[:LONGEST_ANSWER]} is not from {self.low:g} to {self.high:g}")
        steps = (value - self.low) / self.step
        if not isclose(steps, round(steps), rel_tol=0, abs_tol=1e-6):
            raise ValueError(
                f"{given[:LONGEST_ANSWER]} is not a step of {self.step:g} from {self.low:g}"
            )
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the texts that are shown as A and B, or neither where a tie is allowed.

    The answer that is stored is `first`, `second` or `tie`, whichever side they stood on.
    """

    aspect: str
    text: str
    tie: bool = False

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Answers as they are sent, with their words."""
        two = (("a", "A"), ("b", "B"))
        return (*two, ("tie", "No difference")) if self.tie else two

    def read(self, given: str, swapped: bool) -> str:
        """Return which text was chosen, the sides undone.

        Raises
        ------
        ValueError
            If the answer is not one of those offered.

        Examples
        --------
        >>> Choice("naturalness", "Which?").read("a", swapped=True)
        'second'
        """
        if given == "tie" and self.tie:
            return "tie"
        if given not in ("a", "b"):
            raise ValueError(f"{given[:LONGEST_ANSWER]!r} is not one of the answers")
        return "first" if (given == "a") is not swapped else "second"

    def write(self, stored: str, swapped: bool) -> str:
        """Return the answer as it was sent: the reverse of `read`."""
        if stored == "tie":
            return stored
        return "a" if (stored == "first") is not swapped else "b"


Question = Scale | Choice


def read_answers(
    questions: Sequence[Question], given: Mapping[str, str], swapped: bool = False
) -> Answers:
    """Read the answers to all questions.

    Parameters
    ----------
    questions
        What was asked.
    given
        What was sent, by aspect.
    swapped
        Whether the first text stood on side B.

    Raises
    ------
    AnswerError
        With every aspect that has no answer or one that is not possible.
    """
    answers: Answers = {}
    problems: dict[str, str] = {}
    for question in questions:
        text = given.get(question.aspect, "").strip()
        try:
            if not text:
                raise ValueError("not answered yet")
            if isinstance(question, Scale):
                answers[question.aspect] = question.read(text)
            else:
                answers[question.aspect] = question.read(text, swapped)
        except ValueError as error:
            problems[question.aspect] = f"{_named(question.aspect)}: {error}"
    if problems:
        raise AnswerError(problems)
    return answers


def _named(aspect: str) -> str:
    return aspect.replace("_", " ").capitalize()
