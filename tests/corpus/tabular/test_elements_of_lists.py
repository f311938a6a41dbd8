"""Lists in JSON and Parquet, spread over records, with the position as a key."""

import pyarrow
import pyarrow.parquet

from corpus.tabular.opening.files import SourceFile
from tests.fixtures.mapped_tables import read, saved

MAPPING = {
    "table": "ratings",
    "columns": {"segment": "id", "system": "sys", "score": "scores[]", "rater": "scores[#]"},
    "constants": {"aspect": "fluency"},
    "explode": "scores",
}


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
        found, log = read(source, MAPPING)
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
        "explode": "runs[].s",
    }
    found, log = read(saved(tmp_path, "r.jsonl", objects), mapping)
    assert [(r["system"], r["campaign"], r["rater"], r["score"]) for r in found] == [
        ("A", "1", "1", 4),
        ("A", "1", "2", 5),
        ("B", "2", "2", 1),
    ]
    assert [(p.line, p.column) for p in log.problems] == [(1, "runs[].s[]")]


def test_a_position_in_json_without_explode_is_named(tmp_path):
    columns = {"segment": "id", "system": "sys", "score": "n", "rater": "scores[#]"}
    objects = [{"id": "1", "sys": "A", "scores": [4], "n": 3}]
    mapping = MAPPING | {"columns": columns, "explode": None}
    _, log = read(saved(tmp_path, "r.jsonl", objects), mapping)
    assert [(p.column, p.code) for p in log.problems] == [("scores[#]", "missing-column")]
