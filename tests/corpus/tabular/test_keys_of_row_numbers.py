"""Keys that are the number of the row: the same number in every table of a file."""

import pyarrow
import pyarrow.parquet
import pytest

from corpus.tabular.opening.files import SourceFile
from tests.fixtures.mapped_tables import places, read, saved

HEADER = ["src", "a", "b", "keep"]
ROWS = [
    HEADER,
    ["one", "A1", "B1", "no"],
    ["two", "A2", "B2", "yes"],
    ["three\nlines", "A3", "B3", "yes"],
]
SEGMENTS = {"table": "segments", "columns": {"source": "src"}, "numbered": ["segment"]}
OUTPUTS = {
    "table": "outputs",
    "numbered": ["segment"],
    "wide": {"name": "system", "value": "output", "columns": ["a", "b"]},
}
YES = {"where": [{"column": "keep", "allowed": ["yes"]}]}


def parquet(folder, objects):
    path = folder / "t.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(objects), path)
    return SourceFile(path, path.name, "parquet")


def numbers(source, mapping):
    found, log = read(source, mapping)
    assert log.problems == ()
    return [record["segment"] for record in found]


def test_rows_are_numbered_from_1_without_the_header(tmp_path):
    source = saved(tmp_path, "t.csv", ROWS)
    assert numbers(source, SEGMENTS) == ["1", "2", "3"]
    assert numbers(source, OUTPUTS) == ["1", "1", "2", "2", "3", "3"]


def test_a_row_keeps_its_number_where_others_are_left_out(tmp_path):
    source = saved(tmp_path, "t.csv", ROWS)
    assert numbers(source, SEGMENTS | YES) == ["2", "3"]
    assert numbers(source, OUTPUTS | YES) == ["2", "2", "3", "3"]


OBJECTS = [
    {"src": "one", "ratings": [{"by": "r1", "score": 1}, {"by": "r2", "score": 2}]},
    {"src": "two", "ratings": []},
    {"src": "three", "ratings": [{"by": "r1", "score": 3}]},
]
EXPLODED = {
    "table": "ratings",
    "columns": {"score": "ratings[].score", "rater": "ratings[].by"},
    "constants": {"system": "A"},
    "numbered": ["segment"],
    "explode": "ratings",
}


@pytest.mark.parametrize("kind", ["jsonl", "json", "parquet"])
def test_elements_of_a_list_carry_the_number_of_their_record(kind, tmp_path):
    source = (
        parquet(tmp_path, OBJECTS) if kind == "parquet" else saved(tmp_path, f"t.{kind}", OBJECTS)
    )
    assert numbers(source, SEGMENTS) == ["1", "2", "3"]
    assert numbers(source, EXPLODED) == ["1", "1", "3"]


def test_elements_of_markup_and_of_a_list_in_a_document_are_numbered(tmp_path):
    mapping = SEGMENTS | {"explode": "seg", "columns": {"source": "src"}}
    text = "<set><seg><src>one</src></seg><seg><src>two</src></seg></set>"
    assert numbers(saved(tmp_path, "t.xml", text), mapping) == ["1", "2"]
    document = {"name": "x", "ratings": [{"by": "r1", "score": 1}, {"by": "r2", "score": 2}]}
    records = EXPLODED | {"columns": {"score": "score", "rater": "by"}, "explode": None}
    assert numbers(saved(tmp_path, "t.json", document), records) == ["1", "2"]


def test_the_number_can_be_a_part_of_a_key(tmp_path):
    mapping = SEGMENTS | {"numbered": [], "joined": {"segment": ["keep", "[#]"]}}
    assert numbers(saved(tmp_path, "t.csv", ROWS), mapping) == ["no:1", "yes:2", "yes:3"]


def test_the_first_rows_can_be_chosen_by_their_number(tmp_path):
    where = {"where": [{"column": "[#]", "at_most": 2}]}
    found, log = read(saved(tmp_path, "t.csv", ROWS), SEGMENTS | where)
    assert [record["segment"] for record in found] == ["1", "2"]
    assert log.counts == {"rows left out, because [#] is above 2": 1}


def test_only_keys_are_numbered(tmp_path):
    source = saved(tmp_path, "t.csv", ROWS)
    _, log = read(source, OUTPUTS | {"numbered": ["segment", "variant"]})
    assert places(log) == [(None, "numbered.variant", "variant", "mapping")]
    _, log = read(saved(tmp_path, "t.csv", ROWS), SEGMENTS | {"numbered": ["segment", "page"]})
    assert [(p.column, p.code) for p in log.problems] == [("page", "mapping")]
