"""The report filter: one question in queries, options and published conditions alike."""

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.filter.declared_fields import FEWEST_RESAMPLES, MOST_RATERS, MOST_RESAMPLES
from analysis.filter.question import CHOICES, Question, QuestionError
from analysis.published.values import ConditionsError, check_conditions

words = st.text(st.characters(categories=("L", "N"), include_characters="-*() "), min_size=1)
several = st.lists(words, max_size=3).map(tuple)
questions = st.builds(
    Question,
    aspect=st.just("") | words,
    metric=several,
    systems=several,
    where=st.lists(words.map("domain:{}".format), max_size=2).map(tuple),
    level=st.just("segment"),
    statistic=st.sampled_from(CHOICES["statistic"]),
    grouping=st.sampled_from(CHOICES["grouping"]),
    scores=st.sampled_from(CHOICES["scores"]),
    ddof=st.sampled_from([0, 1]),
    min_gap=st.sampled_from([0.0, 25.0, 0.5]),
)


amounts = st.floats(0, exclude_max=True, max_value=float("inf"))
correlations = st.none() | st.floats(-1, 1, exclude_min=True, exclude_max=True)
NUMBERS: dict[str, st.SearchStrategy[float | None]] = {
    "ddof": st.sampled_from([0, 1]),
    "min_gap": amounts,
    "margin": amounts,
    "epsilon": st.floats(0, 1, exclude_max=True),
    "cut": st.none() | st.floats(allow_nan=False, allow_infinity=False),
    "half_width": amounts,
    "power": st.floats(0.05, 1, exclude_min=True, exclude_max=True),
    "panel": st.integers(0, MOST_RATERS),
    **dict.fromkeys(("first", "second", "between"), correlations),
    "resamples": st.integers(FEWEST_RESAMPLES, MOST_RESAMPLES),
    "seed": st.integers(0, 2**200),
}


@given(questions)
def test_a_question_survives_its_query(question: Question) -> None:
    assert Question.parse(question.to_query()) == question


@given(st.fixed_dictionaries(NUMBERS))
def test_every_number_of_a_question_keeps_its_digits(numbers: dict[str, Any]) -> None:
    question = Question(**numbers)
    assert Question.parse(question.to_query()) == question


def test_no_number_is_left_out_above() -> None:
    numeric = {
        field.name
        for field in fields(Question)
        if "int" in str(field.type) or "float" in str(field.type)
    }
    assert numeric == set(NUMBERS)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"metrik": "bleu"}, "metrik: no such filter; known: aspect, metric"),
        ({"level": "word"}, "level=word: expected one of segment, system"),
        ({"ddof": "2"}, "ddof=2: expected one of 0, 1"),
        ({"ddof": "half"}, "ddof=half: expected a number"),
        ({"min_gap": "-1"}, "min_gap=-1.0: expected 0 or more"),
        ({"min_gap": "nan"}, "min_gap=nan: expected 0 or more"),
        ({"where": "domain"}, "where=domain: expected attribute:value"),
        ({"level": "system", "statistic": "tau-like"}, "tau-like compares outputs"),
        ({"interval": "fisher", "resample": "systems"}, "remove resample=systems"),
        ({"interval": "bca", "resample": "annotators"}, "only percentile intervals are possible"),
        ({"resample": "raters"}, "resample=raters: expected one of standard, segments, systems"),
        ({"scores": "ranks"}, "scores=ranks: expected one of raw, z, rank"),
    ],
)
def test_what_makes_no_sense_is_named_with_what_would(values: dict[str, str], message: str) -> None:
    with pytest.raises(QuestionError) as caught:
        Question.parse(values)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("what", "conditions", "field"),
    [
        ("corelation", {}, "what"),
        ("correlation", {"metric": "bleu"}, "conditions"),
        ("agreement", {"aspect": "style", "agreement_statistic": "kappa"}, "conditions"),
        ("correlation", {"aspect": "style", "metric": "bleu", "levl": "system"}, "conditions"),
        ("mean-of-values", {"of": [{"aspect": "style"}], "of_decimals": 3}, "conditions"),
    ],
)
def test_conditions_of_a_published_value_are_checked(
    what: str, conditions: dict[str, object], field: str
) -> None:
    with pytest.raises(ConditionsError) as caught:
        check_conditions(what, conditions)
    assert caught.value.field == field
