"""Questions to a model: asked once, kept as they come, and paid for up to a budget."""

from collections.abc import Iterable, Mapping, Sequence

import pytest

from metrics.scorers.asking import Spending, ask_all, one_number
from metrics.scorers.chat_completions import NoReply
from metrics.scorers.scorer import Answer, Tokens, Unavailable


class Book:
    """Keeps answers in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, Answer] = {}

    def known(self, asked_as: str, prompts: Sequence[str]) -> Mapping[str, Answer]:
        return {each: self.kept[each] for each in prompts if each in self.kept}

    def keep(self, asked_as: str, answers: Iterable[Answer]) -> None:
        self.kept |= {each.prompt: each for each in answers if not each.reason}

    def used(self, asked_as: str) -> Tokens:
        kept = self.kept.values()
        return Tokens(sum(e.tokens_in for e in kept), sum(e.tokens_out for e in kept))


class Voice:
    """Answers with the length of a prompt; fails where a test says so."""

    asked_as, at_a_time, most_tokens = "voice", 2, 10

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails_on = ""

    def answer(self, prompt: str) -> Answer:
        self.asked.append(prompt)
        if prompt == self.fails_on:
            raise Unavailable("nobody is there")
        return Answer(prompt, str(len(prompt)), "", 1000, 10, 0.5)


def test_what_was_answered_is_not_asked_again() -> None:
    voice, book = Voice(), Book()
    first = ask_all(voice, ["a", "bb", "a"], book)
    assert {prompt: each.text for prompt, each in first.items()} == {"a": "1", "bb": "2"}
    ask_all(voice, ["bb", "ccc"], book)
    assert sorted(voice.asked) == ["a", "bb", "ccc"]


def test_where_nobody_answers_any_more_what_was_answered_is_kept() -> None:
    voice, book = Voice(), Book()
    voice.fails_on = "d"
    with pytest.raises(Unavailable, match="nobody is there"):
        ask_all(voice, ["a", "b", "c", "d", "e"], book)
    assert set(book.kept) == {"a", "b", "c"}
    voice.fails_on = ""
    ask_all(voice, ["a", "b", "c", "d", "e"], book)
    assert sorted(voice.asked) == ["a", "b", "c", "d", "d", "e"]


def test_no_more_is_spent_than_the_budget_and_a_larger_one_goes_on() -> None:
    voice, book = Voice(), Book()
    prompts = [f"{number:04000}" for number in range(8)]
    spending = Spending(price_in=1000, price_out=0, budget=5)
    # Two answers at a time cost 2; the third pair would fit, the fourth may not be begun.
    with pytest.raises(Unavailable, match=r"budget of 5 is used up: 4 is spent.*All answers are"):
        ask_all(voice, prompts, book, spending)
    assert len(book.kept) == 4
    found = ask_all(voice, prompts, book, Spending(price_in=1000, price_out=0, budget=8))
    assert len(found) == 8
    assert len(voice.asked) == 8
    assert spending.cost(book.used("voice")) == pytest.approx(8)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I'm sorry, but I can't rate this.", "the judge refused: \"I'm sorry, but"),
        ("As an AI I have no opinion.", "the judge refused"),
        ("Good.", "the judge answered 'Good.', and not with one number"),
    ],
)
def test_a_refusal_is_told_from_an_unreadable_answer(text: str, words: str) -> None:
    with pytest.raises(NoReply) as caught:
        one_number(text, 1, 5)
    assert words in str(caught.value)
