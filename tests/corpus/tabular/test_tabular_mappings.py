"""Mappings as data: what is written is read back, and mistakes are named."""

import json

import pyarrow
import pyarrow.parquet
import pytest

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.shaping.mapping import Condition, Mapping, Wide
from corpus.tabular.spreadsheets import spreadsheet_safe
from tests.fixtures.tabular_reading import preview, records
from tests.fixtures.tabular_specs import METRIC_SCORES, OUTPUTS, RATINGS, SEGMENTS, field_values

FULL = Mapping(
    "ratings",
    columns={"segment": "id", "system": "sys"},
    constants={"task": "absolute", "campaign": "2020"},
    digests={"comment": "note"},
    joined={"rater": ("pool", "worker")},
    numbered=("against",),
    where=(
        Condition("split", allowed=("test",), refused=("",), empty=False),
        Condition("words", at_least=3, at_most=5.5),
    ),
    values={"score": {"yes": "1"}},
    wide=Wide("aspect", "score", ("a_style", "a_content"), "a_{name}", True),
    attributes=("x",),
    explode="ratings",
    missing=("", "NA"),
    delimiter=";",
    encoding="windows-1252",
    quote="",
    distinct=True,
)


def saved(folder, text, name="outputs.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return SourceFile(path, name, name.rpartition(".")[2])


def test_a_mapping_survives_json():
    for mapping in (
        FULL,
        Mapping("outputs"),
        Mapping("ratings", wide=Wide("", "score", pattern="a.{aspect}-{system}")),
        Mapping("x", {"r": ("a", "b"), "p": {"f": "p_f"}}),
    ):
        assert Mapping.from_dict(json.loads(json.dumps(mapping.to_dict()))) == mapping


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": None},
        {"columns": {"segment": 3}},
        {"columns": {"reference": ["a", 1]}},
        {"constants": []},
        {"wide": {"name": "rater", "colour": "red"}},
        {"wide": {"value": "score", "pattern": "{a}{b}"}},
        {"missing": "NA"},
        {"distinct": "yes"},
        {"separator": ";"},
        {"where": [{"column": "a", "empty": True}] * 101},
    ],
)
def test_what_is_no_mapping_is_refused(wrong):
    with pytest.raises(TableError, match="Choose again how the file is read"):
        Mapping.from_dict({"table": "ratings"} | wrong)


def test_a_flat_parquet_file_is_read_by_a_pattern_with_a_dot(tmp_path):
    path = tmp_path / "batch.parquet"
    columns = {"id": ["s"], "Input.system": ["A"], "Answer.style": [5], "Answer.content": [4]}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    mapping = Mapping(
        "ratings",
        {"segment": "id", "system": "Input.system"},
        wide=Wide("aspect", "score", pattern="Answer.{name}"),
    )
    log = ProblemLog()
    found = records(SourceFile(path, path.name, "parquet"), mapping, RATINGS, log)
    found = field_values(RATINGS, found, "aspect", "score")
    assert found == [("style", 5.0), ("content", 4.0)]
    assert log.problems == ()


def test_columns_that_the_file_lacks_and_fields_that_the_table_lacks_are_named(tmp_path):
    source = saved(tmp_path, "id,text\ns1,x\n")
    mapping = Mapping("outputs", {"segment": "id", "output": "texte", "colour": "text"})
    log = ProblemLog()
    assert list(records(source, mapping, OUTPUTS, log)) == []
    assert {(p.column, p.expected.split(":")[0]) for p in log.problems} == {
        ("colour", "a field of outputs"),
        (None, "a column for system"),
        ("texte", "a column texte"),
    }
    assert log.problems[2].found == "id, text"


def test_a_constant_must_fit_its_field(tmp_path):
    source = saved(tmp_path, "id,text\ns1,x\n")
    mapping = Mapping(
        "outputs", {"segment": "id", "output": "text"}, {"system": "A", "variant": "two"}
    )
    log = ProblemLog()
    assert list(records(source, mapping, OUTPUTS, log)) == []
    assert [(p.column, p.found) for p in log.problems] == [("variant", "two")]


def test_a_pattern_stands_for_the_columns_that_match_it(tmp_path):
    source = saved(tmp_path, "id,sys,score_a,score_b,other\ns1,A,1,,x\n", "m.csv")
    wide = Wide("metric", "score", pattern="score_{name}")
    keys = {"segment": "id", "system": "sys"}
    mapping, log = Mapping("metric_scores", keys, wide=wide, missing=("",)), ProblemLog()
    found = records(source, mapping, METRIC_SCORES, log)
    assert field_values(METRIC_SCORES, found, "metric", "score") == [("a", 1.0), ("b", None)]
    assert log.problems == ()


def test_a_pattern_that_nothing_matches_is_a_problem(tmp_path):
    source = saved(tmp_path, "id,sys\ns1,A\n", "m.csv")
    wide = Wide("metric", "score", pattern="score_{name}")
    mapping = Mapping("metric_scores", {"segment": "id", "system": "sys"}, wide=wide)
    log = ProblemLog()
    assert list(records(source, mapping, METRIC_SCORES, log)) == []
    assert [p.expected for p in log.problems] == ["columns like score_{name}"]


def test_empty_cells_of_wide_texts_are_outputs_unless_skipped(tmp_path):
    source = saved(tmp_path, "id,A,B\ns1,x,\n")
    for skip, expected in ((False, [("A", "x"), ("B", "")]), (True, [("A", "x")])):
        wide = Wide("system", "output", ("A", "B"), skip_empty=skip)
        mapping = Mapping("outputs", {"segment": "id"}, wide=wide)
        found = records(source, mapping, OUTPUTS, ProblemLog())
        assert [values[1:3] for _, values in found] == expected


def test_repeated_records_are_passed_over_only_where_the_mapping_says_so(tmp_path):
    source = saved(tmp_path, "id,text\ns1,x\ns1,x\ns1,y\n")
    for distinct, count in ((True, 2), (False, 3)):
        mapping = Mapping(
            "outputs", {"segment": "id", "output": "text"}, {"system": "A"}, distinct=distinct
        )
        assert len(list(records(source, mapping, OUTPUTS, ProblemLog()))) == count


JSON_LINES = [
    ('{"id": 1.0, "sys": true, "text": "\\ud83c\\udf88 a\\u0301", "n": 2}', None),
    ('{"id": "s2", "sys": "A", "text": null}', "no-value"),
    ('{"id": "s3", "sys": "A"}', "no-value"),
    ('{"id": "s7", "sys": "A", "text": "x", "n": 1.5}', "integer"),
    ('{"id": "s8", "sys": "A", "text": "x", "n": NaN}', "number"),
    ("", None),
    ('{"id": "s11", "sys": "A", "text": "", "n": null}', None),
]


def test_json_lines_are_checked_line_by_line(tmp_path):
    source = saved(tmp_path, "\n".join(text for text, _ in JSON_LINES), "outputs.jsonl")
    names = {"segment": "id", "system": "sys", "output": "text", "variant": "n"}
    log = ProblemLog()
    assert [values for _, values in records(source, Mapping("outputs", names), OUTPUTS, log)] == [
        ("1.0", "true", "🎈 a\u0301", 2),
        ("s11", "A", "", None),
    ]
    expected = {(n, code) for n, (_, code) in enumerate(JSON_LINES, 1) if code}
    assert {(p.line, p.code) for p in log.problems} == expected


def test_parquet_values_become_what_the_table_wants(tmp_path):
    table = pyarrow.table(
        {
            "id": pyarrow.array([1, 2, 3]),
            "source": pyarrow.array(["a", "", None]).dictionary_encode(),
            "refs": pyarrow.array([["x", "y"], [], None]),
            "meta": pyarrow.array([{"n": 1, "s": 0.5}, {"n": None, "s": 2.0}, None]),
        }
    )
    path = tmp_path / "segments.parquet"
    pyarrow.parquet.write_table(table, path)
    source = SourceFile(path, path.name, "parquet")
    assert preview(source).columns == ("id", "source", "refs", "meta.n", "meta.s")
    mapping = Mapping(
        "segments",
        {"segment": "id", "source": "source", "reference": "refs"},
        attributes=("meta.n", "meta.s"),
    )
    log = ProblemLog()
    assert list(records(source, mapping, SEGMENTS, log)) == [
        (1, ("1", "a", "", "", ("x", "y"), {"meta.n": "1", "meta.s": "0.5"})),
        (2, ("2", "", "", "", (), {"meta.s": "2.0"})),
    ]
    assert [(p.line, p.column, p.code) for p in log.problems] == [(3, "source", "no-value")]


def test_texts_that_a_spreadsheet_would_run_are_defused():
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"):
        assert spreadsheet_safe(text) == "'" + text
    for value in ("plain", "", "1-1", " =1", -1.5, None):
        assert spreadsheet_safe(value) is value
