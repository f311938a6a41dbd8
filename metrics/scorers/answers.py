"""Answers of language models, who gives them, and where they are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

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
        """All that decides an answer besides the prompt: model, address or files, decoding."""

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


def tokens_of(text: str) -> int:
    """Estimate how many tokens a text has.

    Examples
    --------
    >>> tokens_of("How fluent is this?")
    5
    """
    return -(-len(text) // SIGNS_A_TOKEN)
