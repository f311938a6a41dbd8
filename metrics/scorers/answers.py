"""Questions put to a language model: asked once, kept, and paid for up to a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from metrics.scorers.scorer import Unavailable

SIGNS_A_TOKEN = 4
"""By which tokens are estimated where nobody counts them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered.

    Attributes
    ----------
    prompt, text
        As they were sent and came; no text where no answer came.
    reason
        Why none came.
    tokens_in, tokens_out
        As the model or its address counts them, else estimated.
    seconds
        Until it was there.
    """

    prompt: str
    text: str
    reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0


class Tokens(NamedTuple):
    """Tokens read and written."""

    read: int = 0
    written: int = 0


class Voice(Protocol):
    """A model that is asked in one way."""

    @property
    def asked_as(self) -> str:
        """All that decides an answer beside the prompt: model, address or files, decoding."""

    @property
    def at_a_time(self) -> int:
        """Questions under way at once."""

    @property
    def most_tokens(self) -> int:
        """Longest answer."""

    def answer(self, prompt: str) -> Answer:
        """Return the answer, or the reason why there is none.

        Raises
        ------
        Unavailable
            If nobody is there, or the model is not on this machine.
        """


class AnswerBook(Protocol):
    """Where the answers of a study are kept."""

    def known(self, asked_as: str, prompts: Sequence[str]) -> Mapping[str, Answer]:
        """Return the answers that came to some prompts; not the reasons why none came."""

    def keep(self, asked_as: str, answers: Iterable[Answer]) -> None:
        """Keep answers, and reasons why none came, which may be replaced by an answer."""

    def used(self, asked_as: str) -> Tokens:
        """Return the tokens of all that is kept."""


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


def tokens_of(text: str) -> int:
    """Estimate how many tokens a text has.

    Examples
    --------
    >>> tokens_of("How fluent is this?")
    5
    """
    return -(-len(text) // SIGNS_A_TOKEN)


def ask_all(
    voice: Voice,
    prompts: Iterable[str],
    book: AnswerBook | None,
    spending: Spending = Spending(),
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
