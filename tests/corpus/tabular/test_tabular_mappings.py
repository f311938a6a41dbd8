"""Mappings as data: what is written is read back, and mistakes are named."""

import pyarrow
import pyarrow.parquet

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_reading import preview, records
from tests.fixtures.tabular_specs import OUTPUTS, SEGMENTS


def saved(folder, text, name="outputs.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return SourceFile(path, name, name.rpartition(".")[2])


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
        "outputs",
        {"segment": "id", "output": "text", "system": "= 'A'", "variant": "= 'two'"},
    )
    log = ProblemLog()
    assert list(records(source, mapping, OUTPUTS, log)) == []
    assert [(p.column, p.found) for p in log.problems] == [("variant", "two")]


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
