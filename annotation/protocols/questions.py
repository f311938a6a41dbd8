"""What an annotator is asked, and how an answer is read and checked."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose, isfinite
from typing import Any

from annotation.protocols.language import labelled, translated

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
class Instrument:
    """How a question is answered, in the words of a datasheet.

    Parameters
    ----------
    size, values
        How many answers there are, and which.
    kind
        What annotators answer with.
    aggregation
        How answers become the score of a system.
    """

    size: str
    values: str
    kind: str
    aggregation: str


@dataclass(frozen=True, slots=True)
class Question(ABC):
    """One question about one item.

    Parameters
    ----------
    aspect, text
        What is judged, and the question as it is asked.
    """

    aspect: str
    text: str

    @property
    def named(self) -> dict[str, Any]:
        """Under which name it is asked, in which words."""
        return {"asked": self.aspect, "text": self.text}

    @abstractmethod
    def field(self) -> dict[str, Any]:
        """Return what a template needs to show it: name, text, kind, and what may be answered."""

    @property
    @abstractmethod
    def instrument(self) -> "Instrument":
        """How many answers there are, which, and by what they are given."""

    @abstractmethod
    def read(self, given: str, swapped: bool = False) -> float | str:
        """Return the answer that is stored.

        Parameters
        ----------
        given
            What was sent.
        swapped
            Whether the first of two texts stood on side B.

        Raises
        ------
        ValueError
            If the answer is not possible.
        """

    @abstractmethod
    def write(self, stored: Any, swapped: bool = False) -> str:
        """Return a stored answer as it was sent: the reverse of `read`."""

    @abstractmethod
    def in_words(self, stored: Any, swapped: bool = False) -> str:
        """Write a stored answer, or what was expected, as the annotator saw the texts."""

    @abstractmethod
    def offered(self, sides: Mapping[str, str]) -> tuple[str, ...]:
        """Return the words of what can be expected of a practice item; none for numbers."""

    @abstractmethod
    def expected(self, answer: Any, sides: Mapping[str, str]) -> Any:
        """Return what an owner expects, in terms of the stored answers.

        Raises
        ------
        ValueError
            If nobody can answer like this.
        """


@dataclass(frozen=True, slots=True)
class Scale(Question):
    """A number between two ends.

    Parameters
    ----------
    aspect, text
    low, high, step
        The answers are low, low + step, … high.
    labels
        Words for some of the answers, by answer.
    """

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

    def field(self) -> dict[str, Any]:
        """Return a slider with its ticks, or points with their words."""
        words = dict(self.labels)
        if not self.is_slider:
            points = [(f"{point:g}", words.get(point, "")) for point in self.points]
            return {**self.named, "kind": "points", "options": points}
        span = self.high - self.low
        ticks = [
            {"at": f"{at:g}", "words": words, "percent": round(100 * (at - self.low) / span)}
            for at, words in self.labels
        ]
        ends = {"low": self.low, "high": self.high, "step": self.step}
        plain = {name: f"{value:g}" for name, value in ends.items()}
        return {**self.named, **plain, "kind": "slider", "ticks": ticks}

    @property
    def instrument(self) -> Instrument:
        """A slider, or a button for each point."""
        words = "; ".join(f"{value:g} {label}" for value, label in self.labels)
        span = f"{self.low:g} to {self.high:g} in steps of {self.step:g}"
        return Instrument(
            str(round((self.high - self.low) / self.step) + 1),
            f"{span}{f' ({words})' if words else ''}",
            "slider with number field" if self.is_slider else "multiple-choice options",
            "mean over the ratings of an output, then over outputs; raw and z per annotator",
        )

    def read(self, given: str, swapped: bool = False) -> float:
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
            raise ValueError(
                translated("{answer} is not a number", answer=repr(given[:LONGEST_ANSWER]))
            ) from None
        if not isfinite(value) or not self.low <= value <= self.high:
            raise ValueError(
                translated(
                    "{answer} is not from {low} to {high}",
                    answer=given[:LONGEST_ANSWER],
                    low=f"{self.low:g}",
                    high=f"{self.high:g}",
                )
            )
        steps = (value - self.low) / self.step
        if not isclose(steps, round(steps), rel_tol=0, abs_tol=1e-6):
            raise ValueError(
                translated(
                    "{answer} is not a step of {step} from {low}",
                    answer=given[:LONGEST_ANSWER],
                    step=f"{self.step:g}",
                    low=f"{self.low:g}",
                )
            )
        return value

    def write(self, stored: Any, swapped: bool = False) -> str:
        """Return the number."""
        return f"{stored:.15g}"

    def in_words(self, stored: Any, swapped: bool = False) -> str:
        """Return a number, or a range of numbers."""
        if isinstance(stored, list):
            low, high = stored
            if low == high:
                return f"{low:g}"
            return translated("{low} to {high}", low=f"{low:g}", high=f"{high:g}")
        return f"{stored:g}"

    def offered(self, sides: Mapping[str, str]) -> tuple[str, ...]:
        """Return none: a number is expected, with a tolerance."""
        return ()

    def expected(self, answer: Any, sides: Mapping[str, str]) -> list[float]:
        """Return the ends of a range, given as such, as a number or as one with a tolerance."""
        if isinstance(answer, Mapping):
            answer = self._around(answer.get("answer"), answer.get("tolerance", 0))
        ends = answer if isinstance(answer, list | tuple) else [answer, answer]
        numbers = [
            end for end in ends if isinstance(end, int | float) and not isinstance(end, bool)
        ]
        if (
            len(ends) != 2
            or len(numbers) != 2
            or not (self.low <= numbers[0] <= numbers[1] <= self.high)
        ):
            raise ValueError(
                f"{answer!r} is not a range such as [low, high] within "
                f"{self.low:g} to {self.high:g}"
            )
        return [float(number) for number in numbers]

    def _around(self, answer: Any, tolerance: Any) -> Any:
        """Return the range about an answer, cut at the ends of the scale."""
        numbers = [each for each in (answer, tolerance) if isinstance(each, int | float)]
        if len(numbers) < 2 or not self.low <= numbers[0] <= self.high or numbers[1] < 0:
            return {"answer": answer, "tolerance": tolerance}
        low, high = numbers[0] - numbers[1], numbers[0] + numbers[1]
        return [max(low, self.low), min(high, self.high)]


@dataclass(frozen=True, slots=True)
class Choice(Question):
    """One of the texts that are shown as A and B, or neither where a tie is allowed.

    The answer that is stored is `first`, `second` or `tie`, whichever side they stood on.
    """

    tie: bool = False

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Answers as they are sent, with their words."""
        two = (("a", "A"), ("b", "B"))
        return (*two, ("tie", translated("No difference"))) if self.tie else two

    def field(self) -> dict[str, Any]:
        """Return the answers with their words."""
        return {**self.named, "kind": "choice", "options": self.options}

    @property
    def instrument(self) -> Instrument:
        """A button for each text."""
        values = "A better, B better" + (", no difference" if self.tie else "")
        aggregation = "shares of preferences; ties counted apart"
        return Instrument(str(2 + self.tie), values, "multiple-choice options", aggregation)

    def read(self, given: str, swapped: bool = False) -> str:
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
            raise ValueError(
                translated(
                    "{answer} is not one of the answers", answer=repr(given[:LONGEST_ANSWER])
                )
            )
        return "first" if (given == "a") is not swapped else "second"

    def write(self, stored: Any, swapped: bool = False) -> str:
        """Return the side, or a tie."""
        if stored == "tie":
            return "tie"
        return "a" if (stored == "first") is not swapped else "b"

    def in_words(self, stored: Any, swapped: bool = False) -> str:
        """Return the side that was chosen."""
        side = self.write(stored, swapped)
        if side == "tie":
            return translated("no difference")
        return translated("text {letter}", letter=side.upper())

    def offered(self, sides: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names of the two texts, and a tie where one is allowed."""
        return (*sides, "tie") if self.tie else tuple(sides)

    def expected(self, answer: Any, sides: Mapping[str, str]) -> str:
        """Return the text that is to be chosen, given by its name."""
        choices = {**sides, "first": "first", "second": "second"}
        choices |= {"tie": "tie"} if self.tie else {}
        if not isinstance(answer, str) or answer not in choices:
            raise ValueError(f"{answer!r} is not one of {', '.join(self.offered(sides))}")
        return choices[answer]


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
                raise ValueError(translated("not answered yet"))
            answers[question.aspect] = question.read(text, swapped)
        except ValueError as error:
            name = translated(question.aspect.replace("_", " ").capitalize())
            problems[question.aspect] = labelled(name, error)
    if problems:
        raise AnswerError(problems)
    return answers
