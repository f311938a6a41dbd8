"""What lexical metrics declare of themselves."""

from __future__ import annotations

import doctest
import importlib

import pytest

from metrics.scorers.registry import scorer_class
from tests.fixtures.metric_groups import LEXICAL
from tests.fixtures.nonempty import at_least_one

MODULES = ("corpus.texts.sequences", "metrics.scorers.comparing", "metrics.scorers.tokens")


PARAMETERS = [(key, each) for key in LEXICAL for each in scorer_class(key).spec.parameters]


@pytest.mark.parametrize(
    ("key", "parameter"), PARAMETERS, ids=[f"{key}-{each.name}" for key, each in PARAMETERS]
)
def test_whatever_a_parameter_may_be_the_metric_can_be_built_with_it(key, parameter):
    scorer = scorer_class(key)
    values = parameter.choices or (parameter.default, parameter.minimum)
    for value in at_least_one(value for value in values if value is not None):
        assert scorer({parameter.name: value}).parameters[parameter.name] == value


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_documentation_are_true(name):
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0
    assert outcome.failed == 0
