"""Whatever bytes a named format is given: it reads them, or says what is wrong."""

import json
import random

import pytest

from corpus.formats.catalogue import found_as
from corpus.tabular.limits import DEFAULT_LIMITS
from corpus.tabular.opening.loading import Tables
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import TableError
from tests.fixtures.named_files import NAMED
from tests.fixtures.study_files import TABLES, write_files

CHANGES = 20
IN_EVERY_RUN = {"comet", "mt-test-sets", "summeval"}
"""JSON, markup and JSON Lines; all others by night."""


def read_as(folder, workdir, name="auto"):
    """Discover files and read them as a format; return its name, or None."""
    workdir.mkdir()
    found = discover(folder, workdir)
    tables = Tables(workdir / "tables", DEFAULT_LIMITS)
    read = found_as(found, name, "", workdir / "format", DEFAULT_LIMITS, tables)
    tables.close()
    return read.format and read.format.name


def is_refused(folder, workdir, name):
    """Read files as a format; whether they were refused, in words. Nothing else may happen."""
    try:
        read_as(folder, workdir, name)
    except TableError as error:
        return bool([str(problem) for problem in error.problems])
    return False


@pytest.mark.parametrize("name", NAMED)
def test_each_is_recognised_by_its_files_alone(tmp_path, name):
    folder = write_files(tmp_path / "files", NAMED[name])
    assert read_as(folder, tmp_path / "work") == name


def test_plain_tables_are_recognised_as_none(tmp_path):
    assert read_as(write_files(tmp_path / "files", TABLES), tmp_path / "work") is None


def by_kind(names):
    return [
        name if name in IN_EVERY_RUN else pytest.param(name, marks=pytest.mark.nightly)
        for name in names
    ]


@pytest.mark.parametrize("name", by_kind(NAMED))
def test_changed_bytes_are_read_or_refused(tmp_path, name):
    draw = random.Random(name)
    folder = write_files(tmp_path / "files", NAMED[name])
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    refused = 0
    for number in range(CHANGES):
        file = draw.choice(files)
        whole = file.read_bytes()
        data = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            place = draw.randrange(len(data))
            kind = draw.choice(("byte", "cut", "twice"))
            if kind == "byte":
                data[place] = draw.choice(b'\x00"{}[],:\n\t09aN\xff-')
            elif kind == "cut" and len(data) > 1:
                del data[place : place + draw.randint(1, 9)]
                data = data or bytearray(b" ")
            else:
                data[place:place] = data[place : place + 20]
        file.write_bytes(bytes(data))
        refused += is_refused(folder, tmp_path / f"work{number}", name)
        file.write_bytes(whole)
    assert refused < CHANGES


@pytest.mark.nightly
@pytest.mark.parametrize("name", [n for n, f in NAMED.items() if n != "mt-metrics-eval-v2"])
def test_values_of_other_kinds_are_read_or_refused(tmp_path, name):
    draw = random.Random(name)
    [(file, content), *_] = NAMED[name].items()
    if not isinstance(content, str) or not content.startswith(("{", "[")):
        content = json.dumps(content)
    for number in range(CHANGES):
        changed = _with_another_value(json.loads(content), draw)
        folder = write_files(tmp_path / f"files{number}", {file: json.dumps(changed)})
        is_refused(folder, tmp_path / f"work{number}", name)


def _with_another_value(value, draw):
    """Return a value in which one value somewhere is of another kind."""
    if isinstance(value, dict) and value and draw.random() < 0.8:
        key = draw.choice(list(value))
        return {**value, key: _with_another_value(value[key], draw)}
    if isinstance(value, list) and value and draw.random() < 0.8:
        place = draw.randrange(len(value))
        return [*value[:place], _with_another_value(value[place], draw), *value[place + 1 :]]
    return draw.choice([None, True, 3, -0.5, "x", "", [], {}, [[]], {"a": {}}, "\ud800"])
