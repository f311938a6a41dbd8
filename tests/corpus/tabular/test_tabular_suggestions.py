"""What a file holds is told from its columns' contents where their names do not say."""

import pytest

from corpus.tables.register import handlers
from corpus.tabular.guesses.columns import kind_of
from corpus.tabular.guesses.suggesting import suggest
from tests.fixtures.import_shapes import (
    PAIRS,
    SOURCES,
    output,
)
from tests.fixtures.looks import look_at


def suggested(rows, names=None):
    """Return the mappings of rows with a header; `names` replace it."""
    header, *body = rows
    specs = [handler.spec for handler in handlers()]
    columns = names or [f"c{number}" for number in range(1, len(header) + 1)]
    found = suggest(look_at(columns, body), specs)
    return {mapping.table: mapping.to_dict() for mapping in found}


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "3", "5", ""], "rating"),
        (["-2", "0", "2"], "rating"),
        (["0", "55", "100"], "percentage"),
        (["1200", "7"], "integer"),
        (["0.31", "1", "-.5", "1e-3", "NA"], "number"),
        (["gonna be late tonight", "we was waiting there"], "text"),
        (["BART", "T5 large"], "name"),
        (["", "NA"], "nothing"),
        (["1_000", "2"], "name"),
    ],
)
def test_a_column_is_known_by_its_values(cells, kind):
    assert kind_of(cells) == kind


def test_the_source_is_the_text_that_is_equal_for_all_systems_wherever_its_column_is():
    rows = [["", "", "", ""]] + [[output(s, k), s, SOURCES[k], k] for k, s in PAIRS]
    found = suggested(rows)
    assert found["segments"]["columns"] == {"segment": "c4", "source": "c3"}
    assert found["outputs"]["columns"] == {"segment": "c4", "system": "c2", "output": "c1"}


@pytest.mark.parametrize(
    "rows",
    [
        [["word", "count"], *([f"word{n}", str(n)] for n in range(30))],
        [["name", "mail"], *([f"n{n}", f"m{n}"] for n in range(30))],
        [["a", "b"], ["s1", "some text of words"]],
        [["a"], *([str(n)] for n in range(30))],
        [["a", "b"], *(["", ""] for _ in range(30))],
    ],
)
def test_of_other_tables_nothing_is_suggested(rows):
    assert suggested(rows) == {}
