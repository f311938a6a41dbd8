"""Problems that `problems.toml` describes: each that is named is there, with all of its words."""

import ast
from pathlib import Path
from string import Formatter

from django.conf import settings

from corpus.tabular.problems import catalogue, problem
from tests.fixtures.nonempty import at_least_one


def makers():
    """Calls that make a problem of a kind."""
    for path in (Path(settings.BASE_DIR) / "corpus").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                is_kind = node.args and isinstance(node.args[0], ast.Constant)
                if node.func.id in ("refused", "problem") and is_kind:
                    yield node


def braces(kind):
    texts = (str(text) for text in catalogue()[kind].values())
    return {name for text in texts for _, name, *_ in Formatter().parse(text) if name}


def test_every_kind_that_is_named_is_described_and_gets_its_words():
    for call in at_least_one(makers()):
        kind = call.args[0].value
        assert kind in catalogue()
        assert braces(kind) <= {word.arg for word in call.keywords}, kind


def test_what_is_given_comes_before_what_the_kind_says():
    found = problem("empty-table", "a.csv", "three bytes", line=2)
    assert (found.found, found.line, found.code) == ("three bytes", 2, "empty-file")
