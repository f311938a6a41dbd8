"""The examples in the documentation of the statistics are true."""

import doctest
import importlib
import pkgutil

import analysis.stats

MODULES = [
    module.name for module in pkgutil.walk_packages(analysis.stats.__path__, "analysis.stats.")
]


def test_all_examples_give_what_they_show() -> None:
    names = [*MODULES, "metrics.scorers.style_transfer_intensity"]
    outcomes = {name: doctest.testmod(importlib.import_module(name)) for name in names}
    assert [name for name, outcome in outcomes.items() if outcome.failed] == []
    assert sum(outcome.attempted for outcome in outcomes.values()) >= 20
