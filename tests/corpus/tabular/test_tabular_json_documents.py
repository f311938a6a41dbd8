"""JSON documents give the records of JSON Lines, with the place of whatever is wrong."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_reading import records, table
from tests.fixtures.tabular_specs import OUTPUTS

MAPPING = Mapping("outputs", {"segment": "key", "system": "sys", "output": "text"})
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('a\n\t"\\é🎈}]', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner),
    max_leaves=4,
)
rows = st.lists(
    st.dictionaries(st.text("xyz.", min_size=1, max_size=3), values, max_size=3), max_size=4
)


def saved(tmp_path, text, name="outputs.json"):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return SourceFile(tmp_path / name, name, name.rpartition(".")[2])


def rows_of(source, **options):
    """Return the columns and the rows of a file, what is absent left out."""
    columns, found, _ = table(source, **options)
    return columns, [
        {name: cell for name, cell in zip(columns, row, strict=True) if cell is not None}
        for _, row in found
    ]


def problem_of(source):
    """Return what ended the reading."""
    log = ProblemLog()
    list(records(source, MAPPING, OUTPUTS, log))
    [problem] = [problem for problem in log.problems if problem.code != "no-value"]
    return problem


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(rows, st.sampled_from([None, 0, "\t"]))
def test_an_array_is_read_as_the_same_objects_one_per_line(tmp_path_factory, objects, indent):
    folder = tmp_path_factory.mktemp("same")
    document = json.dumps(objects, indent=indent, ensure_ascii=False)
    sources = [
        saved(folder, document),
        saved(folder, "\n".join(map(json.dumps, objects)) or "\n", "outputs.jsonl"),
    ]
    if not any(objects):
        for source in sources:
            assert problem_of(source).code == "empty-file"
    else:
        assert rows_of(sources[0]) == rows_of(sources[1])


def test_keys_that_differ_by_case_are_columns_of_their_own(tmp_path):
    found = table(saved(tmp_path, '[{"ID": 1, "id": 2, "_row": 3, "": 4}, {"Id": null}]'))
    assert found[0] == ("ID", "id (2)", "_row (2)", "column 4", "Id (3)")
    assert [row for _, row in found[1]] == [["1", "2", "3", "4", None], [None] * 5]


FAULTY = """[
  {"key": "s1", "sys": "A", "text": "x"}, {"key": "s2", "sys": "A"},
  {"key": "", "sys": "A", "text": "x"}, {"key": "s6", "sys": 6, "text": ""}
]
"""


def test_a_faulty_value_is_named_with_the_number_of_its_record(tmp_path):
    log = ProblemLog()
    found = list(records(saved(tmp_path, FAULTY), MAPPING, OUTPUTS, log))
    assert [values[:3] for _, values in found] == [("s1", "A", "x"), ("s6", "6", "")]
    assert {(p.code, p.line) for p in log.problems} == {("no-value", 2), ("empty-key", 3)}


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize(("text", "code"), [("\\ud800", "encoding"), ("a\\u0000", "nul")])
def test_what_no_database_keeps_is_named_with_its_line(tmp_path, ending, text, code):
    first, second = '{"text": "\\\\u0000"}', f'{{"text": ["{text}"]}}'
    whole = f"[{first},\n{second}]" if ending == "json" else f"{first}\n{second}"
    problem = problem_of(saved(tmp_path, whole, f"outputs.{ending}"))
    assert (problem.line, problem.code) == (2, code)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('[\n {"key": "s1"} {"key": "s2"}]', 2, "character 16"),
        ('[{"key": "s1"},\n]', 2, "character 1"),
        ('{"s1": {"sys": "A"},\n "s2" {}}', 2, "character 7"),
        ('{"s1": {}, 3: {}}', 1, "a key in double quotes at character 12"),
        ('[{"key": "s1"}\n', 2, "','"),
        ('[{"key": "s1"}]\n[]', 2, "Extra data"),
        ('[{"key": "s1", "text": "x]', 1, "character 24"),
        ("[" * 100_000, 1, "nested more than 32 deep"),
        (f'{{"A": [{"[" * 900}{"]" * 900}], "B": [1]}}', 1, "nested more than 32 deep"),
    ],
)
def test_a_broken_document_is_refused_where_it_breaks(tmp_path, text, line, found):
    problem = problem_of(saved(tmp_path, text))
    assert (problem.line, problem.code) == (line, "json")
    assert found in problem.found


def test_an_empty_document_and_what_is_too_long_are_refused(tmp_path):
    assert problem_of(saved(tmp_path, " \n")).code == "empty-file"
    assert problem_of(saved(tmp_path, '"text"')).code == "empty-file"
    text = json.dumps([{"key": "s1", "sys": "A", "text": "x"}, {"key": "s2", "more": ["y"] * 99}])
    for limits in (Limits(record_characters=100), Limits(field_characters=100)):
        log = ProblemLog()
        source = saved(tmp_path, text.replace("s2", "s" * 101))
        assert list(records(source, MAPPING, OUTPUTS, log, limits=limits)) == []
        assert [(p.code, p.line) for p in log.problems] == [("field-size", 2)]


@pytest.mark.parametrize(
    ("text", "is_table"),
    [
        ('\ufeff [\n{"a": 1}]', True),
        ("[]", True),
        ('{"s\\"1" : {"a": 1}}', True),
        ('["a", "b"]', True),
        ('{"name": "x", "data": [{}]}', True),
        ('{"name": "x", "size": 3}', False),
        ("3", False),
    ],
)
def test_other_documents_are_listed_and_left_alone(tmp_path, text, is_table):
    folder = tmp_path / "study"
    folder.mkdir()
    saved(folder, text)
    (tmp_path / "work").mkdir()
    found = discover(folder, tmp_path / "work")
    assert bool(found.files) is is_table
    assert bool(found.unrecognised) is not is_table
