"""A language model as judge, asked over HTTP: a server in the test answers as they do."""

import json
import math
import threading
import traceback
from types import SimpleNamespace

import numpy as np
import pytest

from metrics.scorers import chat_completions
from metrics.scorers.chat_completions import AddressVoice, ChatCompletions, NoReply
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Texts, Unavailable, tokens_of
from metrics.signatures import run_signature
from tests.fixtures.judge_address import SECRET, judge_address, reply

ContentJudge = scorer_class("judge-content")
FluencyJudge = scorer_class("judge-fluency")
StyleJudge = scorer_class("judge-style")


@pytest.fixture
def server():
    with judge_address() as server:
        yield server


@pytest.fixture
def settings(server):
    return {"base_url": server.url, "model": "judge-1", "retries": 0, "timeout": 5}


def texts(*outputs):
    n = len(outputs)
    return Texts.of(
        outputs,
        sources=["gimme {output} now"] * n,
        source_styles=["informal"] * n,
        target_styles=["formal"] * n,
    )


def test_the_number_of_the_reply_is_the_score(server, settings):
    server.answer = lambda body: (200, reply(" 85.5\n"))
    scores = StyleJudge(settings).score(texts("Please give it to me."))
    assert scores.values.tolist() == [[85.5]]
    (body,) = server.asked
    assert body["path"] == "/v1/chat/completions"
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("judge-1", 0, 16)
    assert "Text: Please give it to me.\n" in server.prompts[0]
    assert "should be formal" in server.prompts[0]
    assert "from 0 to 100" in server.prompts[0]


@pytest.mark.parametrize("status", [200, 302, 400, 401, 404, 429, 500, 503, 799])
def test_a_key_that_the_address_repeats_is_shown_nowhere(server, settings, status):
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in SECRET)
    content = json.dumps(reply(f"{SECRET} and ESCAPED")).replace("ESCAPED", escaped)
    server.answer = lambda body: (status, content.encode())
    server.phrase = f"Refused key {SECRET}"
    server.headers = {"Location": f"{server.url}/{SECRET}", "Retry-After": SECRET, "X-Key": SECRET}
    answered: list[object] = []
    try:
        answered.append(StyleJudge(settings).score(texts("a")))
        answered.append(
            ChatCompletions(server.url, "m", retries=0).ask_counting("b", most_tokens=4)
        )
    except (NoReply, Unavailable) as error:
        answered.append("".join(traceback.format_exception(error)))
    assert answered
    assert SECRET not in repr(answered)
    assert server.keys[0] == f"Bearer {SECRET}"


HARMFUL = {
    "brackets": b"[" * 200_000,
    "brackets inside": b'{"choices": ' + b"[" * 200_000,
    "too long": json.dumps(reply("7" * 2_000_000)).encode(),
    "digits": b'{"choices": ' + b"9" * 5000 + b"}",
    "no object": b"[]",
    "no UTF-8": b"\xff\xfe{",
    "nothing": b"",
    "infinite": json.dumps(reply("Infinity")).encode(),
    "more digits than a number has": json.dumps(reply("9" * 5000)).encode(),
}


@pytest.mark.parametrize("content", HARMFUL.values(), ids=HARMFUL)
def test_what_no_judge_should_answer_is_undefined_and_the_next_is_asked(server, settings, content):
    server.answer = lambda body: (
        200, content if "harmful" in body["messages"][0]["content"] else reply("7"),
    )  # fmt: skip
    scores = StyleJudge(settings).score(texts("harmful", "fine"))
    assert math.isnan(scores.values[0, 0])
    assert scores.values[1, 0] == 7
    assert 0 < len(scores.undefined[0]) < 200


@pytest.mark.parametrize(
    "count", ["1e30", "1" + "0" * 30, "1e999", "Infinity", "NaN", "-1", "true", '"7"', "[7]", "2.5"]
)
def test_tokens_that_are_no_count_are_estimated(server, settings, count):
    usage = f'{{"usage": {{"prompt_tokens": {count}, "completion_tokens": {count}}}, '
    server.answer = lambda body: (200, (usage + json.dumps(reply("7"))[1:]).encode())
    connection = ChatCompletions(server.url, "m", retries=0)
    assert connection.ask_counting("a", most_tokens=4) == ("7", None)
    answer = AddressVoice(connection).answer("how many tokens")
    assert (answer.tokens_in, answer.tokens_out) == (tokens_of("how many tokens"), tokens_of("7"))


def test_braces_in_a_text_are_no_places_of_the_prompt(server, settings):
    ContentJudge(settings).score(texts("{source} 😀 שלום"))
    assert "Original: gimme {output} now\nRewritten: {source} 😀 שלום\n" in server.prompts[0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("I cannot say.", "answered 'I cannot say.', and not with one number"),
        ("85/100", "not with one number"),
        ("between 80 and 90", "not with one number"),
        ("v2", "not with one number"),
        ("101", "outside the scale"),
        ("-3", "outside the scale"),
        ("", "the reply is empty"),
        (None, "the reply is empty"),
    ],
)
def test_a_reply_without_one_number_on_the_scale_is_undefined(server, settings, content, words):
    server.answer = lambda body: (200, reply(content))
    scores = FluencyJudge(settings).score(texts("fine"))
    assert np.isnan(scores.values).all()
    assert words in scores.undefined[0]


@pytest.mark.parametrize("answer", [b"<html>", {"choices": []}, {"error": "x"}, []])
def test_what_is_no_chat_completion_is_undefined(server, settings, answer):
    server.answer = lambda body: (200, answer)
    scores = FluencyJudge(settings).score(texts("fine"))
    assert scores.undefined == {0: "the address answered something that is no chat completion"}


def test_one_text_that_is_refused_does_not_stop_the_others(server, settings):
    server.answer = lambda body: (
        (400, {}) if "bad" in body["messages"][0]["content"] else (200, reply("7"))
    )
    scores = FluencyJudge(settings).score(texts("fine", "bad", "good"))
    assert scores.values[[0, 2], 0].tolist() == [7, 7]
    assert scores.undefined == {1: "the address answered 400 Bad Request"}


@pytest.fixture
def waits(monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr("urllib3.util.retry.time", SimpleNamespace(sleep=waits.append))
    return waits


def test_passing_errors_are_waited_out(server, waits):
    answers = iter([(429, {}), (503, {}), (0, None), (200, reply("9"))])
    server.answer = lambda body: next(answers)
    connection = ChatCompletions(server.url, "judge-1", retries=3)
    assert connection.ask_counting("?", most_tokens=5) == ("9", None)
    assert waits == [2, 4]  # After the first error it is asked again at once.


def test_the_server_says_how_long_to_wait_up_to_a_limit(server, waits):
    server.answer = lambda body: (429, {})
    for seconds in ("12", "7200", SECRET):
        server.headers = {"Retry-After": seconds}
        connection = ChatCompletions(server.url, "judge-1", retries=1)
        with pytest.raises(NoReply, match="429 Too Many Requests, 2 times"):
            connection.ask_counting("?", most_tokens=5)
    assert waits == [12, chat_completions.LONGEST_WAIT]


def test_a_silent_server_is_undefined_after_the_time_out(server, settings):
    ended = threading.Event()
    server.answer = lambda body: (200, reply("5")) if ended.wait(5) else (500, {})
    scores = FluencyJudge(settings | {"timeout": 0.2}).score(texts("fine"))
    ended.set()
    assert scores.undefined == {0: "no reply within 0.2 seconds, 1 times"}


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refused_key_or_model_stops_the_run(server, settings, status):
    server.answer = lambda body: (status, {"error": SECRET})
    with pytest.raises(Unavailable, match="check base_url, model") as caught:
        FluencyJudge(settings).score(texts("fine"))
    assert SECRET not in str(caught.value)


def test_a_redirect_is_not_followed(server, settings):
    server.headers = {"Location": f"{server.url}/elsewhere"}
    server.answer = lambda body: (307, {})
    with pytest.raises(Unavailable, match="307"):
        FluencyJudge(settings).score(texts("fine"))
    assert len(server.asked) == 1


def test_nobody_there_stops_the_run(server, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_JUDGE_URLS", "http://127.0.0.1:9/v1")
    judge = FluencyJudge({"base_url": "http://127.0.0.1:9/v1", "model": "m"})
    with pytest.raises(Unavailable, match=r"nobody answers at http://127\.0\.0\.1:9/v1"):
        judge.score(texts("fine"))


@pytest.mark.parametrize(
    ("base_url", "words"),
    [
        ("", "expected an address"),
        ("file:///etc/passwd", "expected an address"),
        ("http://user:word@127.0.0.1/v1", "no password in an address"),
        ("http://127.0.0.1:1/v1", "not sent to http://127.0.0.1:1/v1"),
    ],
)
def test_only_addresses_that_the_administrator_names_get_texts_and_key(server, base_url, words):
    with pytest.raises(Unavailable, match=words):
        FluencyJudge({"base_url": base_url, "model": "m"}).fingerprint()


def test_the_key_is_sent_and_stands_in_no_signature(server, settings, monkeypatch):
    judge = FluencyJudge(settings | {"prompt": "Rate {output} | please"})
    judge.score(texts("fine"))
    monkeypatch.delenv("TOUCHSTONE_JUDGE_KEY")
    judge.score(texts("other"))
    assert server.keys == [f"Bearer {SECRET}", None]
    signature = run_signature(
        judge.spec, judge.parameters, against="", text="plain", files=judge.fingerprint(),
        libraries={}, version="1",
    )  # fmt: skip
    assert "prompt:Rate {output} \\| please" in signature
    assert SECRET not in signature


def test_what_the_prompt_needs_and_the_study_lacks_is_undefined(server, settings):
    bare = Texts.of(["fine"])
    assert StyleJudge(settings).score(bare).undefined == {
        0: "the study does not say the styles that the prompt names"
    }
    styled = Texts.of(["fine"], source_styles=["a"], target_styles=["b"])
    assert ContentJudge(settings).score(styled).undefined == {
        0: "there is no source to show to the judge"
    }
    assert not FluencyJudge(settings).score(bare).undefined
    assert len(server.asked) == 1
