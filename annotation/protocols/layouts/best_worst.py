"""Several outputs of which the best and the worst are chosen (best–worst scaling).

Each output is stored with a number of its own: 1 where it was the best, −1 where it was the worst,
0 otherwise. The mean over the ratings of an output or of a system is then its score by counting:
the share of screens on which it was the best less the share on which it was the worst (Orme 2009;
Kiritchenko and Mohammad 2017).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.designs.preview import Answers as Kind
from annotation.protocols.language import labelled, translated
from annotation.protocols.layouts.exercises import PracticeError
from annotation.protocols.layouts.layout import Layout, Side, Sides
from annotation.protocols.layouts.several import Several
from annotation.protocols.layouts.texts import Candidate, Group
from annotation.protocols.questions import (
    LONGEST_ANSWER,
    AnswerError,
    Answers,
    Instrument,
    Question,
)

if TYPE_CHECKING:
    from annotation.protocols.protocol import Config, Protocol

MOST = 4
PICKS = ("best", "worst")
NUMBERS = {"best": 1.0, "neither": 0.0, "worst": -1.0}
WORDS = {number: word for word, number in NUMBERS.items()}
LETTERS = tuple("abcdefgh"[:MOST])


@dataclass(frozen=True, slots=True)
class Standing(Question):
    """What an output was chosen as among the others of its screen."""

    def field(self) -> dict[str, Any]:
        """Return a choice between the outputs of a screen, which the layout names."""
        return {**self.named, "kind": "choice"}

    @property
    def instrument(self) -> Instrument:
        """Two choices between the outputs of a screen."""
        return Instrument(
            "3",
            "best (1), neither (0), worst (−1) of the outputs shown together",
            "multiple-choice options, one for the best and one for the worst",
            "mean over the ratings of an output, then over outputs: the share of best less the "
            "share of worst",
        )

    def read(self, given: str, swapped: bool = False) -> float:
        """Return the number that stands for a word.

        Raises
        ------
        ValueError
            If it is none of the words.
        """
        if given not in NUMBERS:
            raise ValueError(f"{given!r} is not one of {', '.join(NUMBERS)}")
        return NUMBERS[given]

    def write(self, stored: Any, swapped: bool = False) -> str:
        """Return the word that a number stands for."""
        return WORDS[stored]

    def in_words(self, stored: Any, swapped: bool = False) -> str:
        """Return the word that a number, or a range of one number, stands for."""
        return _translated_pick(self.write(stored[0] if isinstance(stored, list) else stored))

    def offered(self, sides: Mapping[str, str]) -> tuple[str, ...]:
        """Return all words."""
        return tuple(NUMBERS)

    def expected(self, answer: Any, sides: Mapping[str, str]) -> list[float]:
        """Return a range of the one number that is expected, given by its word or as a range."""
        ranges = [[number, number] for number in NUMBERS.values()]
        if answer in ranges:
            return ranges[ranges.index(answer)]
        number = self.read(answer if isinstance(answer, str) else repr(answer))
        return [number, number]


def _translated_pick(word: str) -> str:
    words = {"best": translated("best"), "neither": translated("neither")}
    return words.get(word) or translated("worst")


def _legend(pick: str) -> str:
    return translated("Best") if pick == "best" else translated("Worst")


class BestWorst(Several):
    """Up to four outputs, of which one is the best and one the worst."""

    template = "annotation/layouts/best_worst.html"
    outputs = MOST
    place = "Output"
    verb = "compare"
    expectation = "the answer about"
    score_scale = (NUMBERS["worst"], NUMBERS["best"])
    score_words = "on the best–worst score, from −1 (always the worst) to 1 (always the best)"
    reference_is = "Shown among the outputs, to be rated higher than the outputs of their source."

    def screens(self, group: Group, random: np.random.Generator) -> Iterable[Candidate]:
        """Deal outputs out; one output alone is neither best nor worst."""
        return super().screens(group, random) if len(group.judged) > 1 else ()

    def question(self, rules: "Protocol", config: "Config", aspect: str, text: str) -> Question:
        """Return the question that both choices answer."""
        return Standing(aspect, text)

    def answers(self, questions: Sequence[Question]) -> Kind:
        """Return that answers only tell an order."""
        return "ranks"

    def fields(
        self, questions: Sequence[Question], number: int, count: int
    ) -> list[dict[str, Any]]:
        """Return the two choices, once for the screen."""
        if number:
            return []
        [question] = questions
        options = [(letter, letter.upper()) for letter in LETTERS[:count]]
        return [
            question.field() | {"asked": pick, "text": _legend(pick), "options": options}
            for pick in PICKS
        ]

    def read(
        self,
        rules: "Protocol",
        config: "Config",
        given: Sequence[Mapping[str, str]],
        swapped: Sequence[bool],
    ) -> list[Answers]:
        """Read which output is the best and which the worst; both arrive with the first item."""
        [question] = rules.questions(config)
        letters = LETTERS[: len(given)]
        sent = {pick: given[0].get(pick, "").strip() for pick in PICKS}
        problems = {}
        for pick, letter in sent.items():
            if not letter:
                problems[f"0-{pick}"] = labelled(_legend(pick), translated("not answered yet"))
            elif letter not in letters:
                found = translated(
                    "{answer} is not one of the outputs", answer=repr(letter[:LONGEST_ANSWER])
                )
                problems[f"0-{pick}"] = labelled(_legend(pick), found)
        if not problems and sent["best"] == sent["worst"]:
            problems["0-worst"] = labelled(
                _legend("worst"), translated("choose another output than the best")
            )
        if problems:
            raise AnswerError(problems)
        words = {letter: pick for pick, letter in sent.items()}
        return [
            {question.aspect: question.read(words.get(letter, "neither"))} for letter in letters
        ]

    def sent(
        self, questions: Sequence[Question], stored: Sequence[Answers], swapped: Sequence[bool]
    ) -> list[dict[str, str]]:
        """Return the letters of the best and the worst, with the first item."""
        [question] = questions
        words = [
            question.write(answers[question.aspect]) if question.aspect in answers else ""
            for answers in stored
        ]
        first = {pick: LETTERS[words.index(pick)] for pick in PICKS if pick in words}
        return [first, *({} for _ in stored[1:])]

    def expected(
        self,
        questions: Sequence[Question],
        entry: Mapping[str, Any],
        count: int,
        sides: Sides,
        where: str,
    ) -> tuple[Mapping[str, Any], ...]:
        """Read what is expected of each output: at most one best and one worst."""
        expected = super().expected(questions, entry, count, sides, where)
        for pick in PICKS:
            ends = [NUMBERS[pick]] * 2
            if sum(ends in each.values() for each in expected) > 1:
                raise PracticeError(f"{where}: only one output can be the {pick}")
        return expected

    def takes_controls(self, config: "Config") -> bool:
        """Return that a spoilt output, or a reference, is known to be worse or better."""
        return True

    def spoilt(self, count: int, random: np.random.Generator) -> tuple[int, Side]:
        """Choose any of the outputs."""
        return int(random.integers(count)), "first"


BEST_WORST: Layout = BestWorst()
