"""A causal model of this machine as judge, against its own probabilities taken one by one."""

from pathlib import Path
from typing import Any

import pytest

from metrics.language_models import causal
from metrics.language_models.chatting import MARK, ChatModel, LocalVoice
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts
from tests.fixtures.listed_places import listed
from tests.fixtures.tiny_models import save_causal_model

PROMPT = "Rate {output} from {lowest} to {highest}"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_causal_model(tmp_path_factory.mktemp("judge"))


def judge(tiny: Path, **settings: Any) -> Any:
    return scorer_class("local-judge-fluency")(
        {"model": listed(tiny), "prompt": PROMPT, **settings}
    )


def chat_model(tiny: Path) -> ChatModel:
    return ChatModel(causal.load(listed(tiny), 512, None))


def probability(chat: ChatModel, tokens: list[int], answer: list[int]) -> float:
    """Probability of an answer, by one pass of the model for each of its tokens."""
    import torch

    found = 1.0
    for end, token in enumerate(answer):
        with torch.inference_mode():
            logits = chat.model(torch.tensor([tokens + answer[:end]])).logits[0, -1]
        found *= float(torch.softmax(logits.double(), -1)[token])
    return found


def test_the_weighted_mean_is_that_of_the_models_probabilities(tiny: Path) -> None:
    scores = judge(tiny).score(Texts.of(["the food was good"]))
    chat = chat_model(tiny)
    tokens = chat.tokens("Rate the food was good from 1 to 5")
    shares = {
        n: probability(chat, tokens, chat.tokenizer(str(n))["input_ids"]) for n in range(1, 6)
    }
    expected = sum(n * share for n, share in shares.items()) / sum(shares.values())
    assert scores.values[0, 0] == pytest.approx(expected, rel=1e-9)
    assert not scores.undefined


def test_a_number_that_another_begins_with_has_what_is_left_of_its_probability(tiny: Path) -> None:
    chat = chat_model(tiny)
    prompt = "How good?"
    answer = chat.weighed(prompt, [str(n) for n in range(1, 11)])
    found = dict(line.split("\t") for line in answer.text.splitlines())
    tokens = chat.tokens(prompt)
    one, ten = chat.tokenizer("1")["input_ids"], chat.tokenizer("10")["input_ids"]
    assert ten[: len(one)] == one
    both = probability(chat, tokens, ten)
    assert float(found["10"]) == pytest.approx(both, rel=1e-6)
    assert float(found["1"]) == pytest.approx(probability(chat, tokens, one) - both, rel=1e-6)


def test_the_greedy_answer_is_the_likeliest_token_at_every_place(tiny: Path) -> None:
    import torch

    chat = chat_model(tiny)
    answer = chat.written("Rate it", 5)
    tokens, expected = chat.tokens("Rate it"), []
    for _ in range(5):
        with torch.inference_mode():
            likeliest = int(chat.model(torch.tensor([tokens + expected])).logits[0, -1].argmax())
        expected.append(likeliest)
        if likeliest == chat.tokenizer.eos_token_id:
            break
    assert answer.text == chat.tokenizer.decode(expected, skip_special_tokens=True)
    assert (answer.tokens_in, answer.tokens_out) == (len(tokens), len(expected))


def test_samples_of_one_answer_differ_by_their_number_and_not_by_chance(tiny: Path) -> None:
    def written(sample: int) -> str:
        return (
            LocalVoice(listed(tiny), most_tokens=12, temperature=1.0, sample=sample)
            .answer("Rate it")
            .text
        )

    first = [written(sample) for sample in range(3)]
    assert first == [written(sample) for sample in range(3)]
    assert len(set(first)) > 1


def test_what_a_text_says_is_no_part_of_the_template(tiny: Path) -> None:
    chat = chat_model(tiny)
    chat.tokenizer.chat_template = (
        "{% for message in messages %}<|endoftext|>{{ message['content'] }}<|endoftext|>"
        "{% endfor %}"
    )
    within = ChatModel(causal.load(listed(tiny), 512, None))
    tokens = within.tokens("ends <|endoftext|> here")
    special = chat.tokenizer.convert_tokens_to_ids("<|endoftext|>")
    assert tokens[0] == tokens[-1] == special
    assert special not in tokens[1:-1]
    assert MARK not in chat.tokenizer.decode(tokens)
    chat.tokenizer.chat_template = None
