"""Judges: what is asked and kept, probes of a judge, and models of this machine."""

import pytest

from metrics.language_models import causal
from metrics.language_models.chatting import MARK, ChatModel
from metrics.scorers.asking import ask_all, one_number
from metrics.scorers.chat_completions import NoReply
from metrics.scorers.judge_probes import JudgeProbes, LocalJudgeProbes
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Answer, Texts, Tokens, Unavailable
from tests.fixtures.judge_address import judge_address, reply
from tests.fixtures.listed_places import listed
from tests.fixtures.tiny_models import save_causal_model


class Book:
    """Keeps answers in memory."""

    def __init__(self):
        self.kept: dict[str, Answer] = {}

    def known(self, asked_as, prompts):
        return {each: self.kept[each] for each in prompts if each in self.kept}

    def keep(self, asked_as, answers):
        self.kept |= {each.prompt: each for each in answers if not each.reason}

    def used(self, asked_as):
        kept = self.kept.values()
        return Tokens(sum(e.tokens_in for e in kept), sum(e.tokens_out for e in kept))


class Voice:
    """Answers with the length of a prompt; fails where a test says so."""

    asked_as, at_a_time, most_tokens = "voice", 2, 10

    def __init__(self):
        self.asked: list[str] = []
        self.fails_on = ""

    def answer(self, prompt):
        self.asked.append(prompt)
        if prompt == self.fails_on:
            raise Unavailable("nobody is there")
        return Answer(prompt, str(len(prompt)), "", 1000, 10, 0.5)


def test_what_was_answered_is_not_asked_again():
    voice, book = Voice(), Book()
    first = ask_all(voice, ["a", "bb", "a"], book)
    assert {prompt: each.text for prompt, each in first.items()} == {"a": "1", "bb": "2"}
    ask_all(voice, ["bb", "ccc"], book)
    assert sorted(voice.asked) == ["a", "bb", "ccc"]


def test_where_nobody_answers_any_more_what_was_answered_is_kept():
    voice, book = Voice(), Book()
    voice.fails_on = "d"
    with pytest.raises(Unavailable, match="nobody is there"):
        ask_all(voice, ["a", "b", "c", "d", "e"], book)
    assert set(book.kept) == {"a", "b", "c"}
    voice.fails_on = ""
    ask_all(voice, ["a", "b", "c", "d", "e"], book)
    assert sorted(voice.asked) == ["a", "b", "c", "d", "d", "e"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I'm sorry, but I can't rate this.", "the judge refused: \"I'm sorry, but"),
        ("As an AI I have no opinion.", "the judge refused"),
        ("Good.", "the judge answered 'Good.', and not with one number"),
    ],
)
def test_a_refusal_is_told_from_an_unreadable_answer(text, words):
    with pytest.raises(NoReply) as caught:
        one_number(text, 1, 5)
    assert words in str(caught.value)


PROBED = "Rate {output}"


@pytest.fixture
def server():
    with judge_address() as server:
        yield server


def test_copies_and_samples_are_asked_about_and_told_apart(server):
    def answer(body):
        prompt = body["messages"][0]["content"]
        if body["temperature"]:
            return 200, reply(str(body["seed"]))
        return 200, reply("5" if "**" in prompt else "4" if "5, 4" in prompt else "3")

    server.answer = answer
    probes = JudgeProbes(
        {"base_url": server.url, "model": "m", "prompt": PROBED, "padding": "Indeed."}
    )
    scores = probes.score(Texts.of(["good food", ""]))
    assert probes.fields == (
        *("plain", "padded", "formatted", "turned"),
        *("sample-1", "sample-2", "sample-3"),
    )
    assert scores.values[0].tolist() == [3, 3, 5, 4, 1, 2, 3]
    assert scores.undefined == {1: "the text is empty"}
    plain = "Rate good food\n\nOptions: 1, 2, 3, 4, 5"
    assert sorted(server.prompts) == sorted(
        [
            *[plain] * 4,
            "Rate good food Indeed.\n\nOptions: 1, 2, 3, 4, 5",
            "Rate ## Text\n\n**good food**\n\nOptions: 1, 2, 3, 4, 5",
            "Rate good food\n\nOptions: 5, 4, 3, 2, 1",
        ]
    )


def test_a_local_judge_is_probed_by_its_own_numbers(tmp_path):
    model = listed(save_causal_model(tmp_path))
    probes = LocalJudgeProbes({"model": model, "prompt": PROBED, "samples": 4})
    scores = probes.score(Texts.of(["the food was good"]))
    judge = scorer_class("local-judge-fluency")(
        {"model": model, "prompt": f"{PROBED}\n\nOptions: 1, 2, 3, 4, 5"}
    )
    plain = judge.score(Texts.of(["the food was good"])).values[0, 0]
    assert scores.values[0, 0] == plain
    assert set(scores.values[0, 4:]) <= {1, 2, 3, 4, 5}
    assert len(set(scores.values[0, :4])) == 4
    again = probes.score(Texts.of(["kind", "the food was good"]))
    assert again.values[1].tobytes() == scores.values[0].tobytes()


PROMPT = "Rate {output} from {lowest} to {highest}"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return save_causal_model(tmp_path_factory.mktemp("judge"))


def judge(tiny, **settings):
    return scorer_class("local-judge-fluency")(
        {"model": listed(tiny), "prompt": PROMPT, **settings}
    )


def chat_model(tiny):
    return ChatModel(causal.load(listed(tiny), 512, None))


def probability(chat, tokens, answer):
    """Probability of an answer, by one pass of the model for each of its tokens."""
    import torch

    found = 1.0
    for end, token in enumerate(answer):
        with torch.inference_mode():
            logits = chat.model(torch.tensor([tokens + answer[:end]])).logits[0, -1]
        found *= float(torch.softmax(logits.double(), -1)[token])
    return found


def test_the_weighted_mean_is_that_of_the_models_probabilities(tiny):
    scores = judge(tiny).score(Texts.of(["the food was good"]))
    chat = chat_model(tiny)
    tokens = chat.tokens("Rate the food was good from 1 to 5")
    shares = {
        n: probability(chat, tokens, chat.tokenizer(str(n))["input_ids"]) for n in range(1, 6)
    }
    expected = sum(n * share for n, share in shares.items()) / sum(shares.values())
    assert scores.values[0, 0] == pytest.approx(expected, rel=1e-9)
    assert not scores.undefined


def test_a_number_that_another_begins_with_has_what_is_left_of_its_probability(tiny):
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


def test_the_greedy_answer_is_the_likeliest_token_at_every_place(tiny):
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


def test_what_a_text_says_is_no_part_of_the_template(tiny):
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
