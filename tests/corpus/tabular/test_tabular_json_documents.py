"""JSON documents give the records of JSON Lines, with the place of whatever is wrong."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.tabular.files import SourceFile
from corpus.tabular.limits import Limits
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import ProblemLog
from corpus.tabular.reading import open_reader, preview
from corpus.tabular.records import records
from corpus.tabular.sources import discover
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


def read(source, **options):
    log = ProblemLog()
    with open_reader(source, log, **options) as reader:
        return tuple(reader.columns), [row for _, row in reader], log.problems


def problem_of(source):
    """Return what ended the reading."""
    log = ProblemLog()
    list(records(source, MAPPING, OUTPUTS, log))
    [problem] = [problem for problem in log.problems if problem.code != "no-value"]
    return problem


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows, st.sampled_from([None, 0, 2, "\t"]))
def test_an_array_is_read_as_the_same_objects_one_per_line(tmp_path_factory, objects, indent):
    folder = tmp_path_factory.mktemp("same")
    lines = "\n".join(map(json.dumps, objects)) or "\n"
    document = json.dumps(objects, indent=indent, ensure_ascii=False)
    assert read(saved(folder, document)) == read(saved(folder, lines, "outputs.jsonl"))


def test_objects_under_keys_are_records_that_know_their_key(tmp_path):
    document = {"s1": {"text": "a"}, "s2": {"key": "own", "text": "b"}}
    columns, found, problems = read(saved(tmp_path, json.dumps(document)))
    assert columns == ("key", "text")
    assert found == [["s1", "a"], ["own", "b"]]
    assert problems == ()


FAULTY = """[
  {"key": "s1", "sys": "A", "text": "x"},
  {"key": "s2", "sys": "A",
   "text": ["x"]},
  "s3", {"key": "s4", "sys": "A", "text": "x\\ud800"},
  {"key": "s5",

   "sys": "A"},\r\n  {"key": "s6", "sys": 6, "text": ""}
]
"""


def test_a_faulty_value_is_named_with_line_and_character(tmp_path):
    log = ProblemLog()
    found = list(records(saved(tmp_path, FAULTY), MAPPING, OUTPUTS, log))
    assert [(line, values[:3]) for line, values in found] == [
        (2, ("s1", "A", "x")),
        (9, ("s6", "6", "")),
    ]
    assert [(p.code, p.line, p.position) for p in log.problems] == [
        ("kind", 4, 12),
        ("json", 5, 3),
        ("encoding", 5, 43),
        ("no-value", 6, None),
    ]


@pytest.mark.parametrize(
    ("text", "line", "position", "expected"),
    [
        ('[\n {"key": "s1"} {"key": "s2"}]', 2, 16, "','"),
        ('[{"key": "s1"},\n]', 2, 1, "JSON"),
        ('{"s1": {"sys": "A"},\n "s2" {}}', 2, 7, "':'"),
        ('{"s1": {}, 3: {}}', 1, 12, "a key in quotes"),
        ('[{"key": "s1"}\n', 2, 1, "','"),
        ('[{"key": "s1"}]\n[]', 2, 1, "nothing after the document"),
        ('[{"key": "s1", "text": "x]', 1, 24, "JSON"),
        ('"text"', 1, 1, "an array of objects"),
        ("[" * 100_000, 1, 2, "nested so deeply"),
        (f'{{"A": [{"[" * 900}{"]" * 900}], "B": [1]}}', 1, 1, "nested so deeply"),
    ],
)
def test_a_broken_document_is_refused_where_it_breaks(tmp_path, text, line, position, expected):
    problem = problem_of(saved(tmp_path, text))
    assert (problem.line, problem.position, problem.code) == (line, position, "json")
    assert expected in problem.expected


def test_a_byte_that_is_no_text_is_named_with_its_place(tmp_path):
    problem = problem_of(saved(tmp_path, b'[{"key": "s1"},\n {"key": "\xff"}]'))
    assert (problem.line, problem.position, problem.code) == (2, 11, "encoding")


def test_an_empty_document_and_a_record_that_is_too_long_are_refused(tmp_path):
    assert problem_of(saved(tmp_path, " \n")).code == "empty-file"
    log = ProblemLog()
    text = json.dumps([{"key": "s1", "sys": "A", "text": "x"}, {"key": "s2", "more": ["y"] * 99}])
    limits = Limits(record_characters=100)
    found = list(records(saved(tmp_path, text), MAPPING, OUTPUTS, log, limits=limits))
    assert len(found) == 1
    assert [(p.code, p.line) for p in log.problems] == [("field-size", 1)]


@pytest.mark.parametrize(
    ("text", "is_table"),
    [
        ('\ufeff [\n{"a": 1}]', True),
        ("[]", True),
        ('{"s\\"1" : {"a": 1}}', True),
        ('["a", "b"]', False),
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


def test_a_document_in_utf_16_is_read(tmp_path):
    source = saved(tmp_path, json.dumps([{"key": "ä"}], ensure_ascii=False).encode("utf-16"))
    assert preview(source).rows == (("ä",),)


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_a_record_nested_deeper_than_anything_needs_is_refused_and_the_next_is_read(
    tmp_path, ending
):
    """Whoever writes it again, or shows it, would fail at a depth of their own."""
    deep = '{"key": "s1", "sys": "A", "text": "x", "more": %s}' % ("[" * 40 + "]" * 40)
    good = '{"key": "s2", "sys": "A", "text": "x", "more": [[[1]], [2]]}'
    text = f"[{deep},\n{good}]" if ending == "json" else f"{deep}\n{good}\n"
    path = tmp_path / f"outputs.{ending}"
    path.write_text(text)
    log = ProblemLog()
    source = SourceFile(path, path.name, ending)
    found = list(records(source, MAPPING, OUTPUTS, log))
    assert len(found) == 1
    assert [(p.line, p.found) for p in log.problems] == [(1, "brackets nested more than 32 deep")]
