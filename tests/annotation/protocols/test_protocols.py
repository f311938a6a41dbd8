"""Protocols: what is asked, which answers are taken, which settings are refused."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import annotation
from annotation.protocols.catalogue import LIVE
from annotation.protocols.layouts.several import check_order
from annotation.protocols.protocol import ConfigError
from annotation.protocols.questions import AnswerError, Choice, Scale, read_answers

NINE = {
    "style_transfer_intensity",
    "content_preservation",
    "relative_naturalness",
    "absolute_naturalness",
    "direct_assessment",
    "output_against_output",
    "ranking",
    "best_worst",
    "likert",
}


@pytest.mark.parametrize("key", sorted(NINE))
def test_every_protocol_asks_something_without_any_configuration(key):
    asked = LIVE[key].questions({})
    LIVE[key].check({})
    assert asked
    assert len({question.aspect for question in asked}) == len(asked)
    assert all(question.text.endswith(("?", ".")) for question in asked)


def test_a_further_aspect_is_asked_as_the_protocol_answers_and_in_its_language():
    asked = {"aspects": ["overall", "fluency", "sense_of_humour"]}
    words = [question.text for question in LIVE["output_against_output"].questions(asked)]
    assert words == [
        "Which output is better?",
        "Which text is better in terms of fluency?",
        "Which text is better in terms of sense of humour?",
    ]
    graded = {"aspects": ["sense_of_humour"], "language": "de"}
    [question] = LIVE["likert"].questions(graded)
    assert question.text == "Wie gut ist dies: sense of humour?"
    [question] = LIVE["output_against_output"].questions({"aspects": ["fluency"], "language": "ar"})
    assert question.text == "أي النصين أفضل من حيث: السلاسة؟"


@given(st.integers(0, 1000))
def test_every_step_of_a_tenth_is_taken_as_the_number_that_was_written(tenths):
    scale = Scale("style", "?", 0, 100, 0.1)
    assert scale.read(f"{tenths / 10}") == tenths / 10


@pytest.mark.parametrize(
    ("given_text", "problem"),
    [
        ("101", "Style: 101 is not from 0 to 100"),
        ("-1", "Style: -1 is not from 0 to 100"),
        ("nan", "Style: nan is not from 0 to 100"),
        ("inf", "Style: inf is not from 0 to 100"),
        ("many", "Style: 'many' is not a number"),
        ("3.5", "Style: 3.5 is not a step of 1 from 0"),
        ("", "Style: not answered yet"),
        ("  ", "Style: not answered yet"),
    ],
)
def test_an_answer_that_is_not_on_the_scale_is_refused_with_the_reason(given_text, problem):
    with pytest.raises(AnswerError) as error:
        read_answers([Scale("style", "?", 0, 100)], {"style": given_text})
    assert error.value.problems == {"style": problem}


def test_all_that_is_missing_is_said_at_once():
    asked = LIVE["direct_assessment"].questions({})
    with pytest.raises(AnswerError) as error:
        read_answers(asked, {"content": "50"})
    assert set(error.value.problems) == {"style", "fluency"}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("sent", ["a", "b", "tie"])
def test_a_choice_is_stored_by_text_and_read_back_by_side(sent, swapped):
    choice = Choice("naturalness", "?", tie=True)
    stored = choice.read(sent, swapped)
    assert stored == ("tie" if sent == "tie" else ("first", "second")[(sent == "b") ^ swapped])
    assert choice.write(stored, swapped) == sent


def test_a_tie_is_refused_where_the_campaign_does_not_offer_it():
    asked = LIVE["relative_naturalness"].questions({"tie": False})
    with pytest.raises(AnswerError, match="'tie' is not one of the answers"):
        read_answers(asked, {"naturalness": "tie"})
    assert len(asked[0].options) == 2


@pytest.mark.parametrize(
    ("key", "config", "problem"),
    [
        ("direct_assessment", {"step": 0}, "step: 0 is not from 0.1 to 50"),
        ("direct_assessment", {"step": 30}, "step: 30 does not divide the scale"),
        ("direct_assessment", {"step": "fine"}, "step: 'fine' is not a number"),
        ("direct_assessment", {"aspects": []}, "aspects: expected a list"),
        ("direct_assessment", {"aspects": ["style", "style"]}, "aspects: a name occurs twice"),
        ("relative_naturalness", {"tie": "yes"}, "tie: 'yes' is not true or false"),
        ("likert", {"labels": {"content": {"one": "bad"}}}, "labels.content: an answer"),
        ("likert", {"questions": ["?"]}, "questions: expected an object"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_by_name(key, config, problem):
    with pytest.raises(ConfigError, match=f"^{problem}"):
        LIVE[key].check(config)


def test_a_campaign_words_questions_and_labels_itself():
    config = {
        "aspects": ["irony"],
        "questions": {"irony": "Is it ironic?"},
        "labels": {"irony": {"0": "earnest", "100": "ironic"}},
        "step": 0.5,
    }
    [question] = LIVE["direct_assessment"].questions(config)
    assert question.text == "Is it ironic?"
    assert question.labels == ((0.0, "earnest"), (100.0, "ironic"))
    assert question.is_slider
    assert LIVE["likert"].questions({})[0].points == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("ranks", "tie", "problem"),
    [
        ([1, 2, 3], False, ""),
        ([1, 1, 3], True, ""),
        ([1, 1, 3], False, "two outputs have place 1"),
        ([1, 4, 2], True, "there are 3 outputs, so no place 4"),
    ],
)
def test_an_order_is_checked_as_a_whole(ranks, tie, problem):
    assert check_order(ranks, tie).startswith(problem)
    assert bool(check_order(ranks, tie)) is bool(problem)


def test_docstring_examples_hold():
    names = [each.name for each in pkgutil.walk_packages(annotation.__path__, "annotation.")]
    modules = [importlib.import_module(name) for name in names]
    outcomes = [
        doctest.testmod(each) for each in modules if ">>>" in Path(str(each.__file__)).read_text()
    ]
    assert sum(outcome.failed for outcome in outcomes) == 0
    assert sum(outcome.attempted for outcome in outcomes) >= 40
