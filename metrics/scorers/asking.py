"""What scorers share that put questions to a language model."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from metrics.scorers.answers import Answer, Spending, Voice, ask_all
from metrics.scorers.chat_completions import NoReply
from metrics.scorers.scorer import Scorer, Scores, Texts
from metrics.scorers.spec import Parameter

EMPTY = "the text is empty"
EMPTY_SOURCE = "there is no source to show to the judge"
NO_STYLE = "the study does not say the styles that the prompt names"
SHOWN = 60
"""Signs of an answer that a reason repeats."""
PRICES = (
    Parameter(
        "price_in",
        0.0,
        "Price of a million tokens of questions.",
        minimum=0,
        maximum=1e6,
        decides=False,
    ),
    Parameter(
        "price_out",
        0.0,
        "Price of a million tokens of answers.",
        minimum=0,
        maximum=1e6,
        decides=False,
    ),
    Parameter(
        "budget",
        0.0,
        "What all answers of this model in this study may cost; 0 for no limit. Where it is used "
        "up the run stops, and its answers are kept.",
        minimum=0,
        maximum=1e9,
        decides=False,
    ),
)
"""Parameters of what is paid for; they change no number."""
_PLACE = re.compile(r"\{(source|output|source_style|target_style|lowest|highest)\}")
_NUMBER = re.compile(r"(?<![\w./])[-−]?\d+(?:\.\d+)?(?![\w]|\.\d|/)")
_REFUSAL = re.compile(
    r"\b(?:sorry|apologi[sz]e|as an ai|can(?:no|')?t (?:help|assist|answer|rate|judge|provide)"
    r"|unable to|not able to|won't)\b",
    re.IGNORECASE,
)


class Question(NamedTuple):
    """One question about one output: its row and field, who is asked, and what."""

    row: int
    field: int
    voice: Voice
    prompt: str


class AskingScorer(Scorer):
    """A scorer whose numbers are answers of a language model."""

    @property
    def spending(self) -> Spending:
        """What the answers cost, and may cost."""
        named = {each.name: float(self.parameters.get(each.name, 0.0)) for each in PRICES}
        return Spending(**named)

    @abstractmethod
    def questions(self, texts: Texts) -> tuple[list[Question], dict[int, str]]:
        """Return what is asked about each output, and why there is nothing to ask of others."""

    @abstractmethod
    def number(self, question: Question, answer: Answer) -> float:
        """Return the number that an answer gives.

        Raises
        ------
        NoReply
            If it gives none.
        """

    def score(self, texts: Texts) -> Scores:
        """Ask about each output; see `Scorer.score`.

        What got no answer, or one without a number, is undefined with the reason.
        """
        questions, undefined = self.questions(texts)
        values = np.full((len(texts), len(self.fields)), np.nan)
        voices = {each.voice.asked_as: each.voice for each in questions}
        answers: dict[str, dict[str, Answer]] = {}
        for name, voice in voices.items():
            prompts = [each.prompt for each in questions if each.voice.asked_as == name]
            answers[name] = ask_all(voice, prompts, self.resources.answers, self.spending)
        for question in questions:
            answer = answers[question.voice.asked_as][question.prompt]
            try:
                if answer.reason:
                    raise NoReply(answer.reason)
                values[question.row, question.field] = self.number(question, answer)
            except NoReply as error:
                undefined.setdefault(question.row, str(error))
        return Scores(values, undefined)


def filled(template: str, facts: Mapping[str, str]) -> str:
    """Fill in once, so that braces inside a text are left alone."""
    return _PLACE.sub(lambda place: facts[place[1]], template)


def facts_of(texts: Texts, row: int, ends: Sequence[float]) -> dict[str, str]:
    """Return what a prompt may name of an output."""
    return {
        "source": texts.sources[row],
        "output": texts.outputs[row],
        "source_style": texts.source_styles[row],
        "target_style": texts.target_styles[row],
        "lowest": f"{ends[0]:g}",
        "highest": f"{ends[1]:g}",
    }


def why_not_asked(template: str, facts: Mapping[str, str]) -> str:
    """Say what a prompt names and an output lacks; nothing if it lacks nothing."""
    named = set(_PLACE.findall(template))
    if not facts["output"].strip():
        return EMPTY
    if "source" in named and not facts["source"].strip():
        return EMPTY_SOURCE
    if any(not facts[name] for name in named & {"source_style", "target_style"}):
        return NO_STYLE
    return ""


def refuses(text: str) -> bool:
    """Whether an answer says that it will not answer.

    Examples
    --------
    >>> refuses("I'm sorry, I can't rate this."), refuses("4")
    (True, False)
    """
    return bool(_REFUSAL.search(text))


def one_number(text: str, lowest: float, highest: float) -> float:
    """Return the one number of an answer.

    Raises
    ------
    NoReply
        If it has none or several, refuses, or leaves the scale.

    Examples
    --------
    >>> one_number("Score: 4.", 1, 5)
    4.0
    """
    found = _NUMBER.findall(text)
    shown = text.strip().replace("\n", " ")[:SHOWN]
    if len(found) != 1:
        if refuses(text):
            raise NoReply(f"the judge refused: {shown!r}")
        raise NoReply(f"the judge answered {shown!r}, and not with one number")
    number = float(found[0].replace("−", "-"))
    if not lowest <= number <= highest:
        raise NoReply(f"the judge answered {shown!r}, which is outside the scale")
    return number


def expected_number(text: str) -> float:
    """Return the mean of numbers weighted by their probabilities, as `ChatModel.weighed` lists.

    Raises
    ------
    NoReply
        If none of them has any.

    Examples
    --------
    >>> expected_number("1\\t0.1\\n2\\t0.3")
    1.75
    """
    pairs = [tuple(map(float, line.split("\t"))) for line in text.splitlines()]
    total = sum(share for _, share in pairs)
    if not total:
        raise NoReply("the model gives no number of the scale any probability")
    return sum(number * share for number, share in pairs) / total
