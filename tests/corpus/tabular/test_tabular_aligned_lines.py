"""Plain files with one text per line, one per system, aligned with their source."""

import pytest

from corpus.tabular.opening.lines import plan_lines
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import ProblemLog, TableError
from tests.fixtures.tabular_reading import records
from tests.fixtures.tabular_specs import spec_named


@pytest.fixture
def folder(tmp_path):
    """Write files into a folder and return it."""
    place = tmp_path / "study"
    place.mkdir()

    def write(**files):
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (place / name.replace("__", ".")).write_bytes(data)
        return place

    return write


def planned(place, tmp_path, layout="lines", **options):
    workdir = tmp_path / "work"
    workdir.mkdir(exist_ok=True)
    return plan_lines(discover(place, workdir, layout=layout).files, **options)


def read(plan):
    found, log = [], ProblemLog()
    for source, mapping in plan:
        spec = spec_named(mapping.table)
        found.append([values for _, values in records(source, mapping, spec, log)])
    assert log.problems == ()
    return found


def test_source_references_and_systems_are_told_by_their_names(folder, tmp_path):
    place = folder(
        source__txt="one\ntwo\n",
        reference0__txt="I\nII\n",
        ref_b__txt="eins\n\n",
        BART__txt="One.\n\n",
        T5__out="1\n2",
        README__md="x",
    )
    segments, bart, t5 = read(planned(place, tmp_path, layout="auto"))
    assert segments == [
        ("1", "one", "", "", ("eins", "I"), {}),
        ("2", "two", "", "", ("II",), {}),
    ]
    assert bart == [("1", "BART", "One.", None), ("2", "BART", "", None)]
    assert t5 == [("1", "T5", "1", None), ("2", "T5", "2", None)]


def test_only_line_ends_end_a_line(folder, tmp_path):
    text = "a\u2028b\x0bc\x0cd\x85e\x1cf\rg\r\nsecond\n"
    segments, outputs = read(planned(folder(src__txt=text, A__txt="x\ny\n"), tmp_path))
    assert [values[1] for values in segments] == ["a\u2028b\x0bc\x0cd\x85e\x1cf\rg", "second"]
    assert len(outputs) == 2


def test_different_numbers_of_lines_name_both_files_and_counts(folder, tmp_path):
    place = folder(
        source__txt="a\nb\nc\n", short__txt="x\ny\n", long__txt="x\ny\nz\n\n", ok__txt="1\n2\n3"
    )
    with pytest.raises(TableError) as caught:
        planned(place, tmp_path)
    problems = [(p.file, p.line, p.found, p.expected) for p in caught.value.problems]
    assert problems == [
        ("long.txt", 4, "4 lines", "3 lines, as in source.txt"),
        ("short.txt", 3, "2 lines", "3 lines, as in source.txt"),
    ]


def test_a_folder_without_exactly_one_source_is_refused(folder, tmp_path):
    place = folder(A__txt="x\n")
    with pytest.raises(TableError, match="expected one source file"):
        planned(place, tmp_path)
    place = folder(src__txt="x\n", source__txt="x\n")
    with pytest.raises(TableError, match=r"source\.txt, src\.txt"):
        planned(place, tmp_path)


TABLE = {"ratings__csv": "segment,system,rater,score\n1,A,r,3\n"}


@pytest.mark.parametrize(
    ("layout", "plain", "read"),
    [
        ("lines", ("src",), True),
        ("auto", ("src", "A"), True),
        ("auto", ("src",), False),
        ("auto", ("notes", "A"), False),
        ("tables", ("src", "A"), False),
    ],
)
def test_plain_files_beside_tables_are_texts_if_one_is_named_as_the_source(
    folder, tmp_path, layout, plain, read
):
    place = folder(README__txt="x\n", **TABLE, **{f"{name}__txt": "a\n" for name in plain})
    workdir = tmp_path / "work"
    workdir.mkdir()
    found = discover(place, workdir, layout=layout)
    names = {f"{name}.txt" for name in plain}
    assert {s.name for s in found.files} == {"ratings.csv"} | (names if read else set())
    assert names.isdisjoint(name for name, _ in found.unrecognised) == read
