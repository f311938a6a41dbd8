"""JSON documents in which records lie deeper, or side by side, give rows with sensible columns."""

import json
import random
from contextlib import suppress

import pytest

from corpus.tabular.files import SourceFile
from corpus.tabular.json_shapes import shape_of
from corpus.tabular.locating import locate
from corpus.tabular.mapping import Mapping, Wide
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.reading import open_reader, preview
from corpus.tabular.records import records
from corpus.tabular.sources import discover
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.tabular_specs import OUTPUTS, RATINGS, SEGMENTS, SPECS


def saved(tmp_path, content, name="outputs.json"):
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    (tmp_path / name).write_bytes(text.encode())
    return SourceFile(tmp_path / name, name, "json")


def read(source, **options):
    log = ProblemLog()
    with open_reader(source, log, **options) as reader:
        found = [[str(cell) for cell in row] for _, row in reader]
    assert log.problems == ()
    return tuple(reader.columns), found


def values_of(source, mapping, spec, *names):
    log = ProblemLog()
    places = [spec.names.index(name) for name in names]
    found = [[v[n] for n in places] for _, v in records(source, mapping, spec, log)]
    return found, log


NESTED = {
    "version": "1.0",
    "data": [
        {
            "id": "s1",
            "source": "a",
            "ratings": [{"sys": "A", "score": 4}, {"sys": "B", "score": 5}],
        },
        {"id": "s2", "source": "b\n", "ratings": []},
        {"id": "s3", "source": "c", "ratings": [{"sys": "A", "score": "x"}]},
    ],
    "licence": {"name": "CC"},
}


def test_the_one_list_of_records_in_an_object_is_found_and_named(tmp_path):
    source = saved(tmp_path, NESTED)
    columns = preview(source).columns
    assert columns == (
        "version", "licence.name", "data[].id", "data[].source",
        "data[].ratings[].sys", "data[].ratings[].score",
    )  # fmt: skip
    proposed = {mapping.table: mapping for mapping in guess_file(source, SPECS).mappings}
    assert proposed["segments"].explode == "data"
    found, log = values_of(source, proposed["segments"], SEGMENTS, "segment", "source")
    assert found == [["s1", "a"], ["s2", "b\n"], ["s3", "c"]]
    assert not log


def test_lists_inside_that_list_have_positions_and_places(tmp_path):
    source = saved(tmp_path, NESTED)
    mapping = Mapping(
        "ratings",
        {"segment": "data[].id", "system": "data[].ratings[].sys",
         "score": "data[].ratings[].score"},
        constants={"rater": "r", "aspect": "style"},
        explode="data.ratings",
    )  # fmt: skip
    found, log = values_of(source, mapping, RATINGS, "segment", "system", "score")
    assert found == [["s1", "A", 4.0], ["s1", "B", 5.0]]
    text = source.path.read_text().splitlines()
    (problem,) = log.problems
    assert text[problem.line - 1][problem.position - 1 :].startswith('"x"')
    (line,) = {line for line, _ in records(source, mapping, RATINGS, ProblemLog()) if line < 10}
    place = locate(source, mapping, RATINGS, [(line, "score")])[line, "score"]
    assert text[place.line - 1][place.position - 1 :].startswith("4")


def test_one_of_several_lists_is_chosen_by_the_mapping(tmp_path):
    content = {
        "segments": [{"id": "s1", "source": "a"}],
        "outputs": [{"id": "s1", "system": "A", "output": "x"}, {"id": "s1", "system": "B"}],
        "by": "us",
    }
    source = saved(tmp_path, content)
    mapping = Mapping(
        "outputs",
        {"segment": "outputs[].id", "system": "outputs[].system", "output": "outputs[].output"},
        explode="outputs",
    )
    found, log = values_of(source, mapping, OUTPUTS, "segment", "system", "output")
    assert found == [["s1", "A", "x"]]
    assert [p.code for p in log.problems] == ["no-value"]
    with pytest.raises(TableError, match="a list called other"):
        read(source, columns=("by",), explode="other")


def test_a_list_inside_an_object_that_holds_nothing_else_is_found(tmp_path):
    source = saved(tmp_path, {"result": {"items": [{"id": "s1"}, {"id": "s2"}]}})
    assert read(source, columns=("result.items[].id",), explode="result.items")[1] == [
        ["s1"],
        ["s2"],
    ]
    assert preview(source).columns == ("result.items[].id",)


PARALLEL = {
    "language": "en",
    "source": ["it depends", "dunno"],
    "outputs": {"BART": ["It depends.", ""], "T5": ["That depends.", "No \u00e4"]},
}


def test_lists_that_run_in_parallel_make_a_row_for_each_position(tmp_path):
    source = saved(tmp_path, PARALLEL)
    assert read(source) == (
        ("position", "language", "source", "outputs.BART", "outputs.T5"),
        [
            ["1", "en", "it depends", "It depends.", "That depends."],
            ["2", "en", "dunno", "", "No ä"],
        ],
    )
    wide = Wide("system", "output", (), "outputs.{name}")
    mapping = Mapping("outputs", {"segment": "position"}, wide=wide)
    found, log = values_of(source, mapping, OUTPUTS, "segment", "system", "output")
    assert found[1:3] == [["1", "T5", "That depends."], ["2", "BART", ""]]
    assert not log


def test_lists_under_the_names_of_systems_are_columns(tmp_path):
    source = saved(tmp_path, {"BART": ["x", "y"], "T5": ["z", ""]})
    wide = Wide("system", "output", ("BART", "T5"))
    found, _ = values_of(
        source, Mapping("outputs", {"segment": "position"}, wide=wide), OUTPUTS, "segment", "output"
    )
    assert found == [["1", "x"], ["1", "z"], ["2", "y"], ["2", ""]]


def test_lists_of_unequal_lengths_are_refused_with_both_counts(tmp_path):
    source = saved(tmp_path, {"source": ["a"], "outputs": {"BART": ["x", "y"]}})
    _, log = values_of(source, Mapping("segments", {"segment": "position", "source": "source"}),
                       SEGMENTS, "source")  # fmt: skip
    [problem] = [problem for problem in log.problems if problem.code == "line-count"]
    assert problem.found == "1 values in source, 2 in outputs.BART"
    text = source.path.read_text().splitlines()
    assert text[problem.line - 1][problem.position - 1 :] == "["
    assert preview(source).rows == ()


def test_a_wrong_value_of_a_list_is_placed_where_it_stands(tmp_path):
    source = saved(tmp_path, {"segment": ["s1", "s2"], "scores": {"style": [1, "x"]}})
    mapping = Mapping(
        "ratings",
        {"segment": "segment"},
        constants={"system": "A", "rater": "r"},
        wide=Wide("aspect", "score", (), "scores.{name}"),
    )
    _, log = values_of(source, mapping, RATINGS, "score")
    (problem,) = log.problems
    assert source.path.read_text().splitlines()[problem.line - 1].strip() == '"x"'
    assert (problem.column, problem.position) == ("scores.style", 4)


def test_values_under_two_keys_are_rows(tmp_path):
    items = {f"item {n}": n % 3 for n in range(60)}
    source = saved(tmp_path, {"ann1": items, "ann2": {"item 7": 2}})
    columns, found = read(source)
    assert columns == ("key", "key 2", "value")
    assert len(found) == 61
    assert found[-1] == ["ann2", "item 7", "2"]
    mapping = Mapping(
        "ratings",
        {"rater": "key", "segment": "key 2", "score": "value"},
        constants={"system": "A", "aspect": "style"},
    )
    read_, log = values_of(source, mapping, RATINGS, "rater", "segment", "score")
    assert read_[5] == ["ann1", "item 5", 2.0]
    assert not log


def test_a_mapping_decides_whether_inner_values_are_records(tmp_path):
    content = {"A": {"s1": "x", "s2": "y"}, "B": {"s1": "z"}}
    source = saved(tmp_path, content)
    assert preview(source).columns == ("key", "s1", "s2")
    mapping = Mapping("outputs", {"system": "key", "segment": "key 2", "output": "value"})
    found, _ = values_of(source, mapping, OUTPUTS, "system", "segment", "output")
    assert found == [["A", "s1", "x"], ["A", "s2", "y"], ["B", "s1", "z"]]
    numbered = saved(tmp_path, {"A": {"1": "x", "2": "y"}, "B": {"1": "z"}})
    assert preview(numbered).columns == ("key", "key 2", "value")
    wide = Wide("segment", "output", ("1", "2"), None, True)
    found, _ = values_of(
        numbered, Mapping("outputs", {"system": "key"}, wide=wide), OUTPUTS, "system", "segment"
    )
    assert found == [["A", "1"], ["A", "2"], ["B", "1"]]


def test_lists_and_objects_under_two_keys_have_position_and_names(tmp_path):
    content = {"A": {"1": [{"who": "r1", "s": 1}, {"who": "r2", "s": 2}], "2": [{"who": "r1"}]}}
    content["B"] = {"1": [], "3": [{"who": "r9", "s": 3}]}
    columns, found = read(saved(tmp_path, content))
    assert columns == ("key", "key 2", "position", "who", "s")
    assert found == [
        ["A", "1", "1", "r1", "1"],
        ["A", "1", "2", "r2", "2"],
        ["A", "2", "1", "r1", "ABSENT"],
        ["B", "3", "1", "r9", "3"],
    ]


def test_a_frame_written_column_by_column_is_read_row_by_row(tmp_path):
    frame = {"id": {"0": "s1", "1": "s2"}, "score": {"0": 1.5, "1": None}}
    assert read(saved(tmp_path, frame)) == (
        ("key", "id", "score"),
        [["0", "s1", "1.5"], ["1", "s2", "None"]],
    )


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ({"s1": {"source": "a", "n": 1}, "s2": {"source": "b"}}, "records"),
        ({"s1": {"source": "a", "outputs": {"A": "x"}}}, "records"),
        ({"s1": {"refs": ["a", "b"]}, "s2": {"refs": ["c"]}}, "records"),
        ({"s1": {}, "s2": {}}, "records"),
        ({"version": 1, "data": [{}]}, "lists"),
        ({"version": 1, "options": {"a": 1}}, "lists"),
        ({"A": ["x"], "B": ["y"]}, "parallel"),
        ({"outputs": {"A": ["x"], "B": ["y"]}}, "parallel"),
        ({"A": {"1": "x", "2": "y"}, "B": {"1": "z"}}, "twice"),
        ({"id": {"0": "s1", "1": "s2"}, "n": {"0": 1, "1": 2}}, "frame"),
    ],
)
def test_the_kind_of_a_document_is_told_from_its_beginning(content, kind):
    assert shape_of(json.dumps(content), 0, ()).kind == kind


def test_a_description_beside_lines_does_not_make_them_tables(tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "work").mkdir()
    for name, text in (("source.txt", "a\n"), ("A.txt", "b\n"), ("args.json", '{"l": ["x"]}')):
        (tmp_path / "study" / name).write_text(text)
    assert discover(tmp_path / "study", tmp_path / "work").layout == "lines"
    (tmp_path / "study" / "outputs.json").write_text('[{"id": 1}]')
    assert discover(tmp_path / "study", tmp_path / "work").layout == "lines"
    # Without a source nothing says that the lines belong to the tables.
    (tmp_path / "study" / "source.txt").rename(tmp_path / "study" / "B.txt")
    assert discover(tmp_path / "study", tmp_path / "work").layout == "tables"


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ('{"data": [{"a": 1}], "b": }', 27),
        ('{"data": [{"a": 1} {"a": 2}]}', 20),
        ('{"data": [{"a": 1}', 19),
        ('{"r": {"data": [{"a": 1}]}', 27),
        ('{"A": ["x", "y"', 16),
        ('{"A": {"1": 2, "3": 4}, "B": {"5" 6}}', 35),
        ('{"A": ["x"]} []', 14),
    ],
)
def test_a_document_that_breaks_is_refused_there(tmp_path, text, position):
    with pytest.raises(TableError) as caught:
        preview(saved(tmp_path, text))
    [problem] = caught.value.problems
    assert (problem.code, problem.line, problem.position) == ("json", 1, position)


@pytest.mark.parametrize("content", [NESTED, PARALLEL, {"A": {"1": "x", "2": "\ud800"}}])
def test_changed_bytes_give_records_or_problems(tmp_path, content):
    chance = random.Random(str(content))
    whole = json.dumps(content).encode()
    mapping = Mapping("outputs", {"segment": "key", "system": "key 2", "output": "value"})
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(3):
            start = chance.randrange(len(data))
            data[start : start + chance.choice((0, 1, 9))] = chance.choice(
                (b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\u0000", b"\xff", b"null", b"")
            )
        (tmp_path / "a.json").write_bytes(data)
        source = SourceFile(tmp_path / "a.json", "a.json", "json")
        log = ProblemLog()
        for _, values in records(source, mapping, OUTPUTS, log):
            values[2].encode()
        with suppress(TableError):
            guess_file(source, SPECS)
        assert all(problem.message for problem in log.problems)


@pytest.mark.parametrize("name", ["wax", "10k_prompts", "cebab_stars"])
def test_published_annotations_are_rows_of_annotator_item_and_value(golden, name):
    path = golden / "alttest" / name / "human_annotations.json"
    source = SourceFile(path, path.name, "json")
    content = json.loads(path.read_text())
    columns, found = read(source)
    assert columns == ("key", "key 2", "value")
    assert found == [
        [rater, item, str(value)]
        for rater, items in content.items()
        for item, value in items.items()
    ]
