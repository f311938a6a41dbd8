"""Prompts: what is asked, with which examples, and what is read out of the answer."""

import pytest

from metrics.language_models import causal
from metrics.language_models.chatting import first_line
from metrics.scorers.chat_completions import ChatCompletions, NoReply
from metrics.scorers.scorer import Unavailable
from metrics.writers import prompting
from metrics.writers.prompting import Prompting
from metrics.writers.writer import Material, Pair, Source, WriterError
from tests.fixtures.tiny_models import save_causal_model

PAIRS = tuple(
    Pair(f"p{n}", source, reference, "informal", "formal")
    for n, (source, reference) in enumerate(
        [
            ("gimme the book", "Please give me the book."),
            ("u late again", "You are late again."),
            ("the food was yuck", "The food was not good."),
            ("wanna eat food", "Would you like to eat?"),
        ]
    )
)
MATERIAL = Material(pairs=PAIRS)
SOURCE = Source("s", "the food {examples} was meh", "informal", "formal")


@pytest.fixture
def address(monkeypatch):
    """Stand for a server; `said` is what it answers."""
    monkeypatch.setenv("TOUCHSTONE_JUDGE_URLS", "http://localhost:9/v1")
    asked, said = [], {"reply": "Formal: The food was mediocre."}

    def ask_counting(self, prompt, *, most_tokens, **_):
        asked.append((self.model, prompt, most_tokens))
        if isinstance(said["reply"], Exception):
            raise said["reply"]
        return said["reply"], None

    monkeypatch.setattr(ChatCompletions, "ask_counting", ask_counting)
    return asked, said


def prompt(material=MATERIAL, **parameters):
    given = {"base_url": "http://localhost:9/v1", "model": "some-model"}
    return Prompting(given | parameters, material)


def test_the_prompt_is_the_file_of_the_direction(address):
    asked, _ = address
    (written,) = prompt().write([SOURCE])
    assert written.text == "The food was mediocre."
    ((model, text, most_tokens),) = asked
    assert (model, most_tokens) == ("some-model", 80)
    assert text.startswith("Rewrite the informal text in formal English")
    # What a text has in braces is not filled in.
    assert text.endswith("Informal: the food {examples} was meh\nFormal:")
    other = prompt().prompt_for(Source("s", "text", "modern", "archaic"))
    assert "its style is archaic instead of modern" in other
    assert other.endswith("Text: text\nRewritten:")


def test_examples_are_of_the_study_and_look_like_the_question(address):
    text = prompt(examples=2, seed=3).prompt_for(SOURCE)
    shown = [f"Informal: {p.source}\nFormal: {p.reference}\n\n" for p in PAIRS]
    used = [each for each in shown if each in text]
    assert len(used) == 2
    assert prompt(examples=2, seed=3).prompt_for(SOURCE) == text
    assert len({prompt(examples=2, seed=n).prompt_for(SOURCE) for n in range(8)}) > 1
    assert prompt(examples=2, seed=3).prompt_for(SOURCE._replace(text="x")).count("\n\n") == (
        text.count("\n\n")
    )


def test_the_nearest_examples_share_words_and_the_nearest_comes_last(address):
    one, two = (prompt(examples=n, choose="nearest").prompt_for(SOURCE) for n in (1, 2))
    assert [pair.key for pair in PAIRS if pair.source in one] == ["p2"]
    assert PAIRS[1].source not in two
    assert two.count("\n\n") == one.count("\n\n") + 1
    assert two.index(PAIRS[2].source) == max(two.find(pair.source) for pair in PAIRS)
    # Where too few share a word, others fill up.
    assert prompt(examples=4, choose="nearest").prompt_for(SOURCE).count("Formal: ") == 4


def test_a_direction_needs_as_many_examples_as_are_wanted(address):
    few = prompt(examples=5)
    with pytest.raises(WriterError, match="5 examples are wanted, and there are 4 training"):
        few.check({("informal", "formal")})
    prompt(examples=4).check({("informal", "formal")})
    assert Prompting.needs_with(prompt().parameters) == frozenset()


@pytest.mark.parametrize(
    ("reply", "text", "reason"),
    [
        ("\n  The food was poor.  \nAnd more.", "The food was poor.", ""),
        ('"The food was poor."', "The food was poor.", ""),
        ("“The food.” “It”", "“The food.” “It”", ""),
        ("FORMAL: 'The food'", "The food", ""),
        ("Informal: the food", "the food", ""),
        ("Note: the food", "Note: the food", ""),
        ("   \n ", "", "the model wrote nothing"),
        ("I'm sorry, but I can't help with that.", "", "the model refused: I'm sorry, but I can't"),
        ("As an AI language model, I", "", "the model refused: As an AI"),
        (NoReply("the reply is empty"), "", "the reply is empty"),
    ],
)
def test_the_output_is_the_first_line_or_missing_with_a_reason(address, reply, text, reason):
    address[1]["reply"] = reply
    (written,) = prompt().write([SOURCE])
    assert written.text == text
    assert written.reason.startswith(reason)
    assert bool(written.text) != bool(written.reason)


def test_a_prompt_of_ones_own_is_checked(address):
    own = prompt(prompt="Say {source} like this:\n{examples}{source} ->", examples=1)
    text = own.prompt_for(SOURCE)
    assert text.startswith("Say the food {examples} was meh like this:\n")
    assert any(f"{p.source} -> {p.reference}\n\n" in text for p in PAIRS)
    for wrong, message in (
        ("no place", "it lacks {source}"),
        ("{source} {text}", "it has {text}; it takes {source}"),
    ):
        with pytest.raises(WriterError, match=message):
            prompt(prompt=wrong)
    with pytest.raises(WriterError, match=r"lacks \{examples\}"):
        prompt(prompt="{source}", examples=1)


def test_only_allowed_addresses_are_asked(address, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_JUDGE_URLS", "")
    with pytest.raises(Unavailable, match="TOUCHSTONE_JUDGE_URLS"):
        prompt()


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    folder = save_causal_model(tmp_path / "tiny")
    monkeypatch.setenv("TOUCHSTONE_MODELS", f"tiny={folder}")
    return causal.load("tiny", prompting.WINDOW, None)


def test_a_local_model_writes_its_likeliest_tokens_up_to_a_line(tiny):
    import torch

    text = "the food was good"
    found = first_line(tiny, text, 6)
    ids = tiny.tokenizer(text, add_special_tokens=False)["input_ids"]
    start = len(ids)
    for _ in range(6):
        with torch.inference_mode():
            ids.append(int(tiny.model(torch.tensor([ids])).logits[0, -1].argmax()))
        ended = ids[-1] == 0 or "\n" in tiny.tokenizer.decode(ids[start:]).lstrip()
        if ended:
            break
    assert found.text == tiny.tokenizer.decode(ids[start:], skip_special_tokens=True)
    assert found.reason == ("" if ended else "the answer did not end within 6 tokens")
    assert "but the model reads 512" in first_line(tiny, text * 200, 6).reason
