"""What lexical metrics declare of themselves."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys

import pytest

from metrics.catalogue import known_metric
from metrics.scorers.registry import scorer_class
from metrics.scorers.spec import Parameter, ParameterError
from tests.fixtures.metric_groups import LEXICAL
from tests.fixtures.nonempty import at_least_one

MODULES = ("corpus.sequences", "metrics.scorers.comparing", "metrics.scorers.tokens")


@pytest.mark.parametrize("key", LEXICAL)
def test_computed_and_imported_scores_of_a_name_are_read_alike(key: str) -> None:
    spec = scorer_class(key).spec
    facts = known_metric(key)
    assert facts is not None
    assert (facts.orientation, facts.target) == (spec.orientation, spec.target)


PARAMETERS = [(key, each) for key in LEXICAL for each in scorer_class(key).spec.parameters]


@pytest.mark.parametrize(
    ("key", "parameter"), PARAMETERS, ids=[f"{key}-{each.name}" for key, each in PARAMETERS]
)
def test_whatever_a_parameter_may_be_the_metric_can_be_built_with_it(
    key: str, parameter: Parameter
) -> None:
    scorer = scorer_class(key)
    values = parameter.choices or (parameter.default, parameter.minimum)
    for value in at_least_one(value for value in values if value is not None):
        assert scorer({parameter.name: value}).parameters[parameter.name] == value


@pytest.mark.parametrize(
    ("key", "parameter"), [(key, each.name) for key, each in PARAMETERS if each.choices]
)
def test_what_is_no_choice_of_a_parameter_is_refused(key: str, parameter: str) -> None:
    with pytest.raises(ParameterError, match=parameter):
        scorer_class(key)({parameter: "something else"})


def test_listing_the_metrics_loads_none_of_their_libraries() -> None:
    code = (
        "import sys; from metrics.scorers.registry import scorers; scorers(); "
        "print([name for name in ('sacrebleu', 'nltk', 'rouge_score') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_documentation_are_true(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0
    assert outcome.failed == 0
