"""Cells that hold lists: split, spread over records, with the position as a key."""

import json

import pyarrow
import pyarrow.parquet
import pytest

from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import TableError
from tests.fixtures.mapped_tables import places, read, saved

MAPPING = {
    "table": "ratings",
    "columns": {"segment": "id", "system": "sys", "score": "scores[]", "rater": "scores[#]"},
    "constants": {"aspect": "fluency"},
    "split": {"scores": "|"},
    "explode": "scores",
}
HEADER = ["id", "sys", "scores"]


def rated(folder, cells, name="r.csv", **more):
    rows = [HEADER, *([str(n), "A", cell] for n, cell in enumerate(cells))]
    content = [dict(zip(HEADER, row, strict=True)) for row in rows[1:]] if ".json" in name else rows
    found, log = read(saved(folder, name, content), MAPPING | more)
    return [(r["segment"], r["rater"], r.get("score")) for r in found], log


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl", "r.json"])
def test_a_cell_is_split_and_its_positions_are_the_raters(name, tmp_path):
    found, log = rated(tmp_path, ["4|5|3", "2"], name)
    assert found == [("0", "1", 4), ("0", "2", 5), ("0", "3", 3), ("1", "1", 2)]
    assert log.problems == ()


@pytest.mark.parametrize(
    ("separator", "cell"), [("\t", "4\t5"), (", ", "4, 5"), ("json", "[4, 5]")]
)
def test_any_text_separates_and_json_is_understood(separator, cell, tmp_path):
    found, _ = rated(tmp_path, [cell], split={"scores": separator})
    assert found == [("0", "1", 4), ("0", "2", 5)]


def test_an_empty_cell_has_no_elements_and_an_empty_element_is_a_cell(tmp_path):
    found, log = rated(tmp_path, ["", "NA", "4||5"], missing=["NA", ""])
    assert found == [("2", "1", 4), ("2", "2", None), ("2", "3", 5)]
    assert log.counts == {"rows left out, because scores is empty": 2}
    found, log = rated(tmp_path, ["4||5"])
    assert found == [("0", "1", 4), ("0", "3", 5)]
    assert places(log) == [(2, "scores", "nothing", "number")]


def test_a_cell_that_is_no_json_list_is_a_problem_at_its_place(tmp_path):
    cells = [
        "[4",
        '{"a": 4}',
        "4",
        "['4']",
        '["\\u0000"]',
        '["\\ud800"]',
        "[" * 100_000,
        "[null, 4]",
    ]
    found, log = rated(tmp_path, cells, split={"scores": "json"})
    assert found == [("7", "2", 4)]
    assert [(line, code) for line, _, _, code in places(log)] == [(n, "json") for n in range(2, 9)]
    assert {p.column for p in log.problems} == {"scores"}


def test_objects_in_a_cell_are_taken_apart_by_dotted_names(tmp_path):
    ratings = [{"by": {"id": "r1"}, "score": 4, "note": "a"}, {"by": {"id": "r2"}, "score": "x"}]
    columns = {"score": "scores[].score", "rater": "scores[].by.id", "comment": "scores[].note"}
    more = {"columns": MAPPING["columns"] | columns, "split": {"scores": "json"}}
    rows = [HEADER, ["1", "A", json.dumps(ratings)]]
    found, log = read(saved(tmp_path, "r.csv", rows), MAPPING | more)
    assert [(r["rater"], r["score"], r["comment"]) for r in found] == [("r1", 4.0, "a")]
    assert places(log) == [(2, "scores", "x", "number")]


def test_elements_of_lists_in_json_and_parquet_have_positions_too(tmp_path):
    objects = [
        {"id": "1", "sys": "A", "scores": [4, 5]},
        {"id": "2", "sys": "A", "scores": []},
        {"id": "3", "sys": "A", "scores": [3]},
    ]
    path = tmp_path / "r.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(objects), path)
    for source in (
        saved(tmp_path, "r.jsonl", objects),
        saved(tmp_path, "r.json", objects),
        SourceFile(path, path.name, "parquet"),
    ):
        found, log = read(source, {**MAPPING, "split": {}})
        assert [(r["segment"], r["rater"], r["score"]) for r in found] == [
            ("1", "1", 4),
            ("1", "2", 5),
            ("3", "1", 3),
        ]
        assert log.problems == ()


def test_the_position_in_an_inner_list_begins_anew(tmp_path):
    objects = [{"id": "1", "runs": [{"sys": "A", "s": [4, 5]}, {"sys": "B", "s": [{}, 1]}]}]
    mapping = {
        "table": "ratings",
        "columns": {
            "segment": "id",
            "system": "runs[].sys",
            "campaign": "runs[#]",
            "rater": "runs[].s[#]",
            "score": "runs[].s[]",
        },
        "explode": "runs.s",
    }
    found, log = read(saved(tmp_path, "r.jsonl", objects), mapping)
    assert [(r["system"], r["campaign"], r["rater"], r["score"]) for r in found] == [
        ("A", "1", "1", 4),
        ("A", "1", "2", 5),
        ("B", "2", "2", 1),
    ]
    assert [(p.line, p.column) for p in log.problems] == [(1, "runs[].s[]")]


def test_references_in_one_cell_are_split_without_making_records(tmp_path):
    mapping = {
        "table": "segments",
        "columns": {"segment": "id", "source": "src", "reference": "refs"},
        "split": {"refs": " ||| "},
    }
    rows = [["id", "src", "refs"], ["1", "x", "a ||| b"], ["2", "y", ""]]
    found, log = read(saved(tmp_path, "s.csv", rows), mapping)
    assert [record.get("reference") for record in found] == [("a", "b"), None]
    assert log.problems == ()


def test_conditions_see_the_elements(tmp_path):
    where = [{"column": "scores[#]", "at_most": 2}, {"column": "scores[]", "is_not": ["0"]}]
    found, log = rated(tmp_path, ["4|5|3", "0|2"], where=where)
    assert found == [("0", "1", 4), ("0", "2", 5), ("1", "2", 2)]
    assert log.counts == {
        "rows left out, because scores[#] is above 2": 1,
        "rows left out, because scores[] is 0": 1,
    }


def test_a_position_without_its_list_and_a_list_without_split_are_named(tmp_path):
    _, log = rated(tmp_path, ["4"], explode=None)
    assert [(p.column, p.expected) for p in log.problems] == [("explode", "explode: scores")]
    _, log = rated(tmp_path, ["4"], split={})
    assert [(p.column, p.code) for p in log.problems] == [("explode", "mapping")]
    with pytest.raises(TableError, match="the text between elements"):
        Mapping.from_dict(MAPPING | {"split": {"scores": ""}})


def test_a_position_in_json_without_explode_is_named(tmp_path):
    columns = {"segment": "id", "system": "sys", "score": "n", "rater": "scores[#]"}
    objects = [{"id": "1", "sys": "A", "scores": [4], "n": 3}]
    mapping = MAPPING | {"columns": columns, "split": {}, "explode": None}
    _, log = read(saved(tmp_path, "r.jsonl", objects), mapping)
    assert [(p.column, p.found, p.code) for p in log.problems] == [
        ("explode", "scores[#]", "mapping")
    ]
