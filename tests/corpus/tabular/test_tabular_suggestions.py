"""What a file holds is told from its columns' contents where their names do not say."""

import pytest

from corpus.tables.register import handlers
from corpus.tabular.guesses.columns import kind_of
from corpus.tabular.guesses.suggesting import suggest
from tests.fixtures.import_shapes import (
    METRICS,
    PAIRS,
    SOURCES,
    TIDY,
    UNNAMED,
    WIDE_ASPECTS,
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


def test_a_table_of_everything_is_taken_apart():
    found = suggested(UNNAMED["data.csv"])
    assert found == {
        "segments": {
            "table": "segments",
            "columns": {"segment": "c1", "source": "c2"},
            "distinct": True,
        },
        "outputs": {
            "table": "outputs",
            "columns": {"segment": "c1", "system": "c3", "output": "c4"},
            "distinct": True,
        },
        "ratings": {
            "table": "ratings",
            "columns": {"segment": "c1", "system": "c3", "rater": "c5", "score": "c6"},
            "constants": {"aspect": "overall"},
        },
    }


def test_the_source_is_the_text_that_is_equal_for_all_systems_wherever_its_column_is():
    rows = [["", "", "", ""]] + [[output(s, k), s, SOURCES[k], k] for k, s in PAIRS]
    found = suggested(rows)
    assert found["segments"]["columns"] == {"segment": "c4", "source": "c3"}
    assert found["outputs"]["columns"] == {"segment": "c4", "system": "c2", "output": "c1"}


def test_a_key_is_made_of_the_source_if_there_is_none():
    rows = [["", "", ""]] + [[SOURCES[k], s, output(s, k)] for k, s in PAIRS]
    found = suggested(rows)
    assert found["segments"]["digests"] == {"segment": "c1"}
    assert found["outputs"]["digests"] == {"segment": "c1"}


def test_raters_and_aspects_are_what_tells_ratings_apart():
    found = suggested(TIDY["ratings.csv"])
    assert list(found) == ["ratings"]
    columns = {"segment": "c1", "system": "c2", "rater": "c3", "aspect": "c4", "score": "c5"}
    assert found["ratings"]["columns"] == columns


def test_several_columns_of_ratings_are_aspects_named_by_what_differs():
    wide = suggested(WIDE_ASPECTS["judged.csv"], WIDE_ASPECTS["judged.csv"][0])["ratings"]["wide"]
    assert (wide["name"], wide["pattern"]) == ("aspect", "q_{name}")


def test_columns_that_differ_by_a_number_are_raters():
    rows = [["id", "model", "j1", "j2"], *([k, s, "1", "4"] for k, s in PAIRS)]
    assert suggested(rows, rows[0])["ratings"]["wide"]["name"] == "rater"


def test_numbers_that_are_no_integers_are_scores_of_metrics():
    found = suggested(METRICS["automatic.csv"])
    assert list(found) == ["metric_scores"]
    assert found["metric_scores"]["wide"]["columns"] == ["c3", "c4", "c5", "c6", "c7"]


def test_outputs_beside_each_other_are_those_of_systems():
    rows = [["", "", "", ""]] + [[k, t, output("A", k), output("B", k)] for k, t in SOURCES.items()]
    found = suggested(rows)
    assert found["segments"]["columns"] == {"segment": "c1", "source": "c2"}
    assert found["outputs"]["wide"]["columns"] == ["c3", "c4"]


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
