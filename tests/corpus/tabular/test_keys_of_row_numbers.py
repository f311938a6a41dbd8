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


def parquet(folder, objects):
    path = folder / "t.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(objects), path)
    return SourceFile(path, path.name, "parquet")


def numbers(source, mapping):
    found, log = read(source, mapping)
    assert log.problems == ()
    return [record["segment"] for record in found]


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


def test_only_keys_are_numbered(tmp_path):
    source = saved(tmp_path, "t.csv", ROWS)
    _, log = read(source, OUTPUTS | {"numbered": ["segment", "variant"]})
    assert places(log) == [(None, "numbered.variant", "variant", "mapping")]
    _, log = read(saved(tmp_path, "t.csv", ROWS), SEGMENTS | {"numbered": ["segment", "page"]})
    assert [(p.column, p.code) for p in log.problems] == [("page", "mapping")]
