"""Keys made of several columns: never the same for two different rows of cells."""

from pathlib import Path

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from corpus.tabular import database
from tests.fixtures.mapped_tables import places, read, saved

JOINED = {
    "table": "outputs",
    "columns": {"system": "sys", "output": "text"},
    "joined": {"segment": ["doc", "sentence"]},
}
HEADER = ["doc", "sentence", "sys", "text"]


parts = st.lists(st.text(alphabet=":\\ab", max_size=4), min_size=2, max_size=2)


CONNECTION = duckdb.connect()
CONNECTION.execute(Path(database.__file__).with_name("macros.sql").read_text(encoding="utf-8"))


def joined(cells):
    return CONNECTION.execute("SELECT joined(?)", [cells]).fetchone()


@given(parts, parts)
def test_different_cells_never_give_the_same_key(one, other):
    assert (joined(one) == joined(other)) == (one == other)


def test_an_empty_part_of_a_key_that_is_needed_is_a_problem(tmp_path):
    rows = [HEADER, ["news", "", "A", "x"], ["", "", "A", "y"], ["news", "2", "A", "z"]]
    found, log = read(saved(tmp_path, "o.csv", rows), JOINED)
    assert [record["segment"] for record in found] == ["news:2"]
    assert places(log) == [
        (2, "doc + sentence", "nothing", "empty-key"),
        (3, "doc + sentence", "nothing", "empty-key"),
    ]


def test_a_key_that_may_be_absent_is_absent_where_all_its_cells_are_empty(tmp_path):
    mapping = {
        "table": "ratings",
        "columns": {"segment": "id", "system": "sys", "score": "s"},
        "joined": {"rater": ["pool", "worker"]},
    }
    rows = [["id", "sys", "pool", "worker", "s"], ["1", "A", "", "", "3"], ["1", "A", "p", "", "4"]]
    found, log = read(saved(tmp_path, "r.csv", rows), mapping)
    assert [record.get("rater") for record in found] == [None, "p:"]
    assert log.problems == ()


def test_keys_of_json_are_joined_as_they_are_written(tmp_path):
    objects = [{"doc": {"id": 1.50}, "n": True, "sys": "A", "text": "x"}]
    mapping = JOINED | {"joined": {"segment": ["doc.id", "n"]}}
    found, log = read(saved(tmp_path, "o.jsonl", objects), mapping)
    assert [record["segment"] for record in found] == ["1.5:true"]
    _, log = read(saved(tmp_path, "o.jsonl", [objects[0] | {"n": [1]}]), mapping)
    assert places(log) == [(None, "n", "a list or an object", "kind")]
    assert log.problems[0].expected == "a text"


def test_what_cannot_be_joined_is_named(tmp_path):
    source = saved(tmp_path, "o.csv", [HEADER, ["a", "b", "c", "d"]])
    _, log = read(
        source, JOINED | {"joined": {"segment": ["doc", "page"], "variant": ["doc", "sys"]}}
    )
    assert [(p.column, p.code) for p in log.problems] == [
        ("page", "missing-column"),
        ("joined.variant", "mapping"),
    ]
