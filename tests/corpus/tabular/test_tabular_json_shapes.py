"""JSON documents in which records lie deeper, or side by side, give rows with sensible columns."""

import json
import random
from contextlib import suppress
from dataclasses import replace

import pytest

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.shaping.mapping import Mapping, Wide
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.tabular_reading import records, table
from tests.fixtures.tabular_specs import OUTPUTS, RATINGS, SPECS


def saved(tmp_path, content, name="outputs.json"):
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    (tmp_path / name).write_bytes(text.encode())
    return SourceFile(tmp_path / name, name, "json")


def read(source):
    """Return the columns of a file, and its rows."""
    columns, found, _ = table(source)
    return columns, [row for _, row in found]


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


def test_lists_inside_that_list_are_rows_of_their_own(tmp_path):
    source = replace(saved(tmp_path, NESTED), sheet="data")
    mapping = Mapping(
        "ratings",
        {"segment": "id", "system": "ratings[].sys", "score": "ratings[].score"}
        | {"rater": "= 'r'", "aspect": "= 'style'"},
        explode="ratings",
    )
    found, log = values_of(source, mapping, RATINGS, "segment", "system", "score")
    assert found == [["s1", "A", 4.0], ["s1", "B", 5.0]]
    (problem,) = log.problems
    assert (problem.found, problem.column, problem.line) == ("x", "ratings[].score", 3)


PARALLEL = {
    "language": "en",
    "source": ["it depends", "dunno"],
    "outputs": {"BART": ["It depends.", ""], "T5": ["That depends.", "No \u00e4"]},
}


def test_lists_that_run_in_parallel_make_a_row_for_each_position(tmp_path):
    source = saved(tmp_path, PARALLEL)
    assert read(source) == (
        ("position", "language", "source", "outputs"),
        [
            ["1", "en", "it depends", {"BART": "It depends.", "T5": "That depends."}],
            ["2", "en", "dunno", {"BART": "", "T5": "No ä"}],
        ],
    )
    wide = Wide("output", "outputs.{system}")
    mapping = Mapping("outputs", {"segment": "position"}, wide=wide)
    found, log = values_of(source, mapping, OUTPUTS, "segment", "system", "output")
    assert found[1:3] == [["1", "T5", "That depends."], ["2", "BART", ""]]
    assert not log


def test_values_under_two_keys_are_rows(tmp_path):
    items = {f"item {n}": n % 3 for n in range(60)}
    source = saved(tmp_path, {"ann1": items, "ann2": {"item 7": 2}})
    columns, found = read(source)
    assert columns == ("key", "key 2", "value")
    assert len(found) == 61
    assert found[-1] == ["ann2", "item 7", "2"]
    mapping = Mapping(
        "ratings",
        {"rater": "key", "segment": "key 2", "score": "value"}
        | {"system": "= 'A'", "aspect": "= 'style'"},
    )
    read_, log = values_of(source, mapping, RATINGS, "rater", "segment", "score")
    assert read_[5] == ["ann1", "item 5", 2.0]
    assert not log


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


@pytest.mark.parametrize("content", [NESTED, PARALLEL, {"A": {"1": "x", "2": "\ud800"}}])
def test_changed_bytes_give_records_or_problems(tmp_path, content):
    chance = random.Random(str(content))
    whole = json.dumps(content).encode()
    mapping = Mapping("outputs", {"segment": "key", "system": "key 2", "output": "value"})
    for _ in range(20):
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
