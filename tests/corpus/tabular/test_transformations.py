"""Conditions, expressions and elements of lists, where the reference of all together is silent."""

from hashlib import sha256
from pathlib import Path

import duckdb
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.tabular import database
from corpus.tabular.opening.files import SourceFile
from tests.fixtures.mapped_tables import read, saved

HEADER = ["id", "sys", "text", "split", "words"]
ROWS = [
    HEADER,
    ["1", "A", "x", "test", "3"],
    ["2", "A", "x", "dev", "8"],
    ["3", "A", "x", "train", ""],
    ["4", "A", "x", "", "4.5"],
    ["5", "A", "x", "test", "NA"],
]
KEYS = {"segment": "id", "system": "sys"}
OUTPUTS = {"table": "outputs", "columns": KEYS | {"output": "text"}}
RATINGS = {"table": "ratings", "columns": KEYS | {"score": "ok"}}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("split IN ('test', '')", "145"),
        ("split <> '' -- of a part", "1235"),
        ("TRY_CAST(words AS DOUBLE) BETWEEN 3 AND 5", "14"),
    ],
)
def test_rows_left_out_are_counted(condition, expected, tmp_path):
    found, log = read(saved(tmp_path, "o.csv", ROWS), OUTPUTS | {"where": condition})
    assert "".join(record["segment"] for record in found) == expected
    words = f"rows left out, because this is not true: {condition}"
    assert (dict(log.counts), log.problems) == ({words: 5 - len(expected)}, ())


@pytest.mark.parametrize(
    "mapping",
    [
        {"where": 'true); DROP TABLE files."o.csv"; SELECT (1'},
        {"where": "splt = 'test'"},
        {"where": "true /*"},
        {"columns": KEYS | {"output": "= (SELECT content FROM read_text('/etc/passwd') LIMIT 1)"}},
        {"columns": KEYS | {"output": "= 1 AS x, 2"}},
    ],
)
def test_sql_in_a_mapping_is_confined_like_a_query(mapping, tmp_path):
    found, log = read(saved(tmp_path, "o.csv", ROWS), OUTPUTS | mapping)
    assert found == []
    assert {problem.code for problem in log.problems} <= {"query", "missing-column"}
    assert log.problems


def test_values_of_json_are_compared_and_looked_up_as_they_are_written(tmp_path):
    values = [True, 1, 1.0, None, "true", False]
    objects = [{"id": str(n), "sys": "A", "ok": ok} for n, ok in enumerate(values)]
    source = saved(tmp_path, "r.jsonl", objects)

    def chosen(condition):
        found, _ = read(source, RATINGS | {"where": condition})
        return [record["segment"] for record in found]

    assert chosen("ok = '1'") == ["1"]
    assert chosen("ok = '1.0'") == ["2"]
    score = "= choice(ok, MAP {'true': '5', 'false': '1', '1.0': '2'})"
    found, log = read(source, RATINGS | {"columns": KEYS | {"score": score}})
    assert [record.get("score") for record in found] == [5, 1, 2, None, 5, 1]
    assert log.problems == ()


def test_words_of_a_judgement_and_names_of_systems_are_translated(tmp_path):
    mapping = {
        "table": "ratings",
        "columns": {
            **{"segment": "q", "against": "b"},
            "judgement": "= choice(winner, MAP {'model_a': 'system', 'tie (bothbad)': 'tie'})",
            "system": "= choice(a, MAP {'gpt4': 'GPT-4'})",
        },
    }
    rows = [
        ["q", "a", "b", "winner"],
        ["1", "gpt4", "x", "model_a"],
        ["2", "x", "gpt4", "tie (bothbad)"],
    ]
    found, _ = read(saved(tmp_path, "r.csv", rows), mapping)
    assert [(r["system"], r["against"], r["judgement"]) for r in found] == [
        ("GPT-4", "x", "system"),
        ("x", "gpt4", "tie"),
    ]


# Keys

CONNECTION = duckdb.connect()
CONNECTION.execute(Path(database.__file__).with_name("macros.sql").read_text(encoding="utf-8"))
parts = st.lists(st.text(alphabet=":\\ab", max_size=4), min_size=2, max_size=2)


def joined(cells):
    return CONNECTION.execute("SELECT joined(?)", [cells]).fetchone()


@given(parts, parts)
def test_different_cells_never_give_the_same_key(one, other):
    assert (joined(one) == joined(other)) == (one == other)


def test_keys_of_json_are_joined_as_they_are_written(tmp_path):
    objects = [{"doc": {"id": 1.50}, "n": True, "sys": "A", "text": "x"}]
    mapping = {
        "table": "outputs",
        "columns": {"system": "sys", "output": "text", "segment": '= joined(["doc.id", n])'},
    }
    found, _ = read(saved(tmp_path, "o.jsonl", objects), mapping)
    assert [record["segment"] for record in found] == ["1.5:true"]
    mapping["columns"]["segment"] = '= key("doc.id")'
    found, _ = read(saved(tmp_path, "o.jsonl", objects), mapping)
    assert [record["segment"] for record in found] == [sha256(b"1.5").hexdigest()[:12]]


# Lists


@pytest.mark.parametrize("kind", ["jsonl", "json", "parquet"])
def test_elements_of_a_list_carry_their_position_and_the_number_of_their_record(kind, tmp_path):
    objects = [
        {"sys": "A", "scores": [4, 5]},
        {"sys": "A", "scores": []},
        {"sys": "A", "scores": [3]},
    ]
    mapping = {
        "table": "ratings",
        "columns": {"system": "sys", "score": "scores[]", "rater": "scores[#]", "segment": "[#]"}
        | {"aspect": "= 'fluency'"},
        "explode": "scores",
    }
    path = tmp_path / "r.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(objects), path)
    packed = SourceFile(path, path.name, "parquet")
    source = packed if kind == "parquet" else saved(tmp_path, f"r.{kind}", objects)
    found, log = read(source, mapping)
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
