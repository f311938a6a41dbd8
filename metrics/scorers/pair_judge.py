"""Asking a language model which of two outputs is better, in both orders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from metrics.language_models.chatting import LocalVoice
from metrics.scorers.answers import Answer, Voice
from metrics.scorers.asking import SHOWN, refuses
from metrics.scorers.chat_completions import AddressVoice, ChatCompletions, NoReply

Preferred = Literal["A", "B", "tie"]
TIE_LETTER = "C"
LETTERS = "Answer with one letter and nothing else: A if text A is better, B if text B is better"
NEITHER = ", C if neither is better"
PROMPT = """Source ({source_style}): {source}

Text A: {a}

Text B: {b}

Both texts should say what the source says and be {target_style}. {question}"""
_PLACE = re.compile(r"\{(source|a|b|source_style|target_style)\}")
_LETTER = re.compile(r"\b([ABC])\b")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two outputs of one source.

    Attributes
    ----------
    first, second
        The texts, in an order that means nothing.
    source, source_style, target_style
        Empty where the study does not say.
    """

    first: str
    second: str
    source: str = ""
    source_style: str = ""
    target_style: str = ""

    @property
    def second_is_a(self) -> bool:
        """Whether the second text is A in the first of both orders: a coin that the texts throw."""
        texts = "\x00".join((self.source, self.first, self.second))
        return bool(sha256(texts.encode("utf-8", "surrogatepass")).digest()[0] % 2)

    def prompt(self, template: str, *, second_is_a: bool) -> str:
        """Fill a template in once, so that braces inside a text are left alone."""
        a, b = (self.second, self.first) if second_is_a else (self.first, self.second)
        facts: Mapping[str, str] = {
            "source": self.source,
            "a": a,
            "b": b,
            "source_style": self.source_style or "its style",
            "target_style": self.target_style or "in the target style",
        }
        return _PLACE.sub(lambda place: facts[place[1]], template)


def pair_voice(
    model: str, base_url: str, cache: Path | None, *, ties: bool, retries: int = 3
) -> Voice:
    """Return who is asked: a model at an address, or one of this machine.

    Raises
    ------
    Unavailable
        If the address may not be asked.
    """
    if base_url:
        return AddressVoice(ChatCompletions(base_url, model, retries=retries))
    return LocalVoice(model, cache, offered=("A", "B", *([TIE_LETTER] if ties else [])))


def preferred(answer: Answer, *, weighed: bool, ties: bool) -> Preferred:
    """Return which text an answer prefers.

    Parameters
    ----------
    answer
    weighed
        Whether it lists probabilities of the letters, as `LocalVoice` does.
    ties
        Whether neither may be better.

    Raises
    ------
    NoReply
        If it prefers none, or one that there is not.

    Examples
    --------
    >>> preferred(Answer("", "**B**"), weighed=False, ties=True)
    'B'
    """
    if answer.reason:
        raise NoReply(answer.reason)
    if weighed:
        shares = [line.split("\t") for line in answer.text.splitlines()]
        letter = max(shares, key=lambda each: float(each[1]))[0]
    else:
        found = set(_LETTER.findall(answer.text))
        shown = answer.text.strip().replace("\n", " ")[:SHOWN]
        if len(found) != 1 or (found == {TIE_LETTER} and not ties):
            if refuses(answer.text):
                raise NoReply(f"the judge refused: {shown!r}")
            raise NoReply(f"the judge answered {shown!r}, and not with one letter")
        letter = found.pop()
    return "A" if letter == "A" else "B" if letter == "B" else "tie"
