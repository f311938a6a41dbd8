"""Headers of released data and of annotation tools: which fields are found, and what is asked.

Headers are facts; no row of these data sets is in `known_headers.json`. A ``#`` marks a column of
numbers.
"""

import json
from pathlib import Path

import pytest

from corpus.tables.register import handlers
from corpus.tabular.guesses.guessing import guess
from corpus.tabular.guesses.known_columns import catalogue
from corpus.tabular.shaping.mapping import columns_in
from tests.fixtures.study_files import import_path, write_files

HEADERS = json.loads(Path(__file__).with_name("known_headers.json").read_text(encoding="utf-8"))


def guessed(file, header, read_as=()):
    """Guess a table of one row from its header."""
    columns = [column.strip() for column in header.split(",")]
    row = ["3" if column.endswith("#") else "some words" for column in columns]
    specs = [handler.spec for handler in handlers()]
    return guess([column.rstrip("#") for column in columns], [row], specs, file_name=file)


def shortly(found):
    """Write what was found as the table above writes it."""
    for mapping in found.mappings:
        words = [mapping.table]
        for field, source in mapping.columns.items():
            if used := columns_in(source):
                words.append(f"{field}{'<' if 'key(' in source else '='}{'+'.join(used)}")
        if wide := mapping.wide:
            words.append(f"{wide.names[0]}:{'+'.join(wide.columns) or wide.pattern}")
        yield " ".join(words)
    if found.unused:
        yield f"({', '.join(found.unused)})"


@pytest.mark.parametrize("name", HEADERS["found"])
def test_a_header_is_read_without_a_question(name):
    found = guessed(**HEADERS["found"][name])
    assert sorted(shortly(found)) == sorted(HEADERS["found"][name]["read_as"])
    assert found.is_complete


@pytest.mark.parametrize("name", HEADERS["asked"])
def test_a_header_that_lacks_something_or_could_be_two_things_is_a_question(name):
    assert not guessed(**HEADERS["asked"][name]).is_complete


def test_no_name_is_known_for_two_fields_of_one_table():
    seen: dict[tuple[str, str], str] = {}
    for line in catalogue():
        for name in line.names if not line.kind else ():
            key = (line.table, name.replace("_", "").lower())
            assert seen.setdefault(key, line.field) == line.field, (line.table, name)


@pytest.mark.django_db
def test_an_import_names_the_columns_that_no_table_reads(tmp_path):
    files = {
        "data.csv": [
            ["segment_id", "source", "system", "output", "mystery", "riddle"],
            ["s1", "a source", "A", "an output", "1", "2"],
        ]
    }
    job = import_path(write_files(tmp_path / "small", files))
    assert job.error == ""
    assert (
        "data.csv: no table reads the columns mystery, riddle; a mapping can."
        in job.result["notes"]
    )
