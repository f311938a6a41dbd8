"""What lexical metrics declare of themselves."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys

import pytest
from metric_groups import LEXICAL

from metrics.catalogue import known_metric
from metrics.scorers.registry import scorer_class
from metrics.scorers.spec import ParameterError

MODULES = ("comparing", "sequences", "tokens")


@pytest.mark.parametrize("key", LEXICAL)
def test_computed_and_imported_scores_of_a_name_are_read_alike(key: str) -> None:
    spec = scorer_class(key).spec
    facts = known_metric(key)
    assert facts is not None
    assert (facts.orientation, facts.target) == (spec.orientation, spec.target)


@pytest.mark.parametrize("key", LEXICAL)
def test_whatever_a_parameter_may_be_the_metric_can_be_built_with_it(key: str) -> None:
    scorer = scorer_class(key)
    for parameter in scorer.spec.parameters:
        for value in parameter.choices or (parameter.default, parameter.minimum):
            if value is not None:
                read = scorer({parameter.name: value}).parameters[parameter.name]
                assert read == value
        if parameter.choices:
            with pytest.raises(ParameterError, match=parameter.name):
                scorer({parameter.name: "something else"})


def test_listing_the_metrics_loads_none_of_their_libraries() -> None:
    code = (
        "import sys; from metrics.scorers.registry import scorers; scorers(); "
        "print([name for name in ('sacrebleu', 'nltk', 'rouge_score') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_the_documentation_are_true(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(f"metrics.scorers.{name}"))
    assert outcome.attempted > 0
    assert outcome.failed == 0
