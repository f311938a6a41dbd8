"""Questions put to a language model by scorers: asked once, kept, and paid for up to a limit."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from metrics.scorers.chat_completions import NoReply
from metrics.scorers.scorer import (
    Answer,
    AnswerBook,
    Scorer,
    Scores,
    Texts,
    Tokens,
    Unavailable,
    Voice,
    tokens_of,
)
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
_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"(?<![\w./])[-−]?\d+(?:\.\d+)?(?![\w]|\.\d|/)")
_REFUSAL = re.compile(
    r"\b(?:sorry|apologi[sz]e|as an ai|can(?:no|')?t (?:help|assist|answer|rate|judge|provide)"
    r"|unable to|not able to|won't)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Spending:
    """Prices of a million tokens, and how much may be spent; a limit of 0 is none."""

    price_in: float = 0.0
    price_out: float = 0.0
    budget: float = 0.0

    def cost(self, tokens: Tokens) -> float:
        """Return the price of tokens."""
        return (tokens.read * self.price_in + tokens.written * self.price_out) / 1e6

    def check(self, used: Tokens, next_ones: Tokens, answers: int) -> None:
        """Refuse to ask on where that could cost more than the budget.

        Raises
        ------
        Unavailable
        """
        if self.budget and self.cost(used) + self.cost(next_ones) > self.budget:
            raise Unavailable(
                f"the budget of {self.budget:g} is used up: {self.cost(used):.4g} is spent, and "
                f"the next {answers} answers may cost {self.cost(next_ones):.2g}. All answers are "
                "kept: ask again with a larger budget to go on"
            )


def ask_all(
    voice: Voice, prompts: Iterable[str], book: AnswerBook | None, spending: Spending = Spending()
) -> dict[str, Answer]:
    """Return the answer to each different prompt; what was answered before is not asked again.

    Parameters
    ----------
    voice, prompts
    book
        Where answers are kept as soon as they are there; None: nowhere.
    spending
        What may be spent on all answers that are kept as `voice` is asked.

    Raises
    ------
    Unavailable
        If nobody is there, or the budget is used up; what was answered is kept.
    """
    different = list(dict.fromkeys(prompts))
    found = dict(book.known(voice.asked_as, different)) if book else {}
    waiting = [prompt for prompt in different if prompt not in found]
    used = book.used(voice.asked_as) if book and waiting else Tokens()
    with asking(voice.at_a_time) as pool:
        for some in _batches(waiting, voice.at_a_time):
            most = Tokens(sum(map(tokens_of, some)), voice.most_tokens * len(some))
            spending.check(used, most, len(some))
            answers, error = _answered(pool, voice, some)
            if book:
                book.keep(voice.asked_as, answers)
            used = Tokens(
                used.read + sum(each.tokens_in for each in answers),
                used.written + sum(each.tokens_out for each in answers),
            )
            if error:
                raise error
            found.update((each.prompt, each) for each in answers)
    return found


@contextmanager
def asking(at_a_time: int) -> Iterator[ThreadPoolExecutor]:
    """Give threads for questions; whoever is stopped waits for no answer that is under way."""
    pool = ThreadPoolExecutor(at_a_time)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _batches(prompts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (prompts[start : start + size] for start in range(0, len(prompts), size))


def _answered(
    pool: ThreadPoolExecutor, voice: Voice, prompts: Sequence[str]
) -> tuple[list[Answer], Exception | None]:
    """Return what was answered, and the first error of those that were not."""
    answers, first = [], None
    for future in [pool.submit(voice.answer, prompt) for prompt in prompts]:
        error = future.exception()
        if error is None:
            answers.append(future.result())
        elif not isinstance(error, Exception):
            raise error
        else:
            first = first or error
    return answers, first


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
    return _PLACE.sub(lambda place: facts.get(place[1], place[0]), template)


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
