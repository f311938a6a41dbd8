"""Transformations of a mapping in any combination, against a reference that takes no care."""

import csv
import hashlib
import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_reading import blocks, records
from tests.fixtures.tabular_specs import RATINGS

COLUMNS = ["doc", "n", "split", "plain", "s.a-X", "s.b-X", "s.a-Y"]
WIDE = {"s.a-X": ("a", "X"), "s.b-X": ("b", "X"), "s.a-Y": ("a", "Y")}
cells = {
    "doc": st.sampled_from(["d", "d:1", "e\\", ""]),
    "n": st.sampled_from(["1", "2", "1:1", ""]),
    "split": st.sampled_from(["test", "dev", ""]),
    "plain": st.sampled_from(["1", "2.5", "good", "bad", "", "NA", "x"]),
    **{name: st.sampled_from(["3", "4", "good", "", "NA", "x"]) for name in WIDE},
}
tables = st.lists(st.fixed_dictionaries(cells), min_size=1, max_size=5)
CONDITIONS = {
    "": lambda row, number: True,
    "split IN ('test', '')": lambda row, number: row["split"] in ("test", ""),
    "doc <> '' AND split <> 'dev'": lambda row, number: row["doc"] and row["split"] != "dev",
    "TRY_CAST(n AS DOUBLE) = 1": lambda row, number: row["n"] == "1",
    "_row <= 3": lambda row, number: number <= 3,
}
SCORES = {
    "plain": {},
    "choice(plain, MAP {'good': '2', '': '0'})": {"good": "2", "": "0"},
    "missing(plain, ['NA', ''])": {"NA": None, "": None},
}


@st.composite
def mappings(draw):
    """Draw a mapping of ratings: what the key is, where the score stands, and what else is done."""
    mapping = {"table": "ratings", "columns": {}}
    key = draw(st.sampled_from(["doc", "joined", "[#]", "digest"]))
    if key in ("doc", "[#]"):
        mapping["columns"]["segment"] = key
    elif key == "joined":
        mapping["columns"]["segment"] = "= joined([doc, n])"
    else:
        mapping["columns"]["segment"] = '= key("doc")'
    score = draw(st.sampled_from(["column", "wide", "wide by name"]))
    if score == "column":
        score_as = draw(st.sampled_from(sorted(SCORES)))
        mapping["columns"]["score"] = f"= {score_as}"
    elif score == "wide":
        mapping["wide"] = {"value": "score", "pattern": "s.{aspect}-{system}"}
    else:
        mapping["wide"] = {"value": "score", "pattern": "s.{aspect}-X"}
    if score != "wide":
        mapping["columns"]["system"] = "= 'X'"
    mapping["where"] = draw(st.sampled_from(sorted(CONDITIONS)))
    mapping["distinct"] = draw(st.booleans())
    return mapping


class WrongError(Exception):
    """A row that is a problem."""


def expected(table, mapping):
    """Return number and fields of each record, and the lines with problems."""
    found, wrong, seen, is_met = [], [], set(), False
    for number, row in enumerate(table, 1):
        try:
            if not CONDITIONS[mapping["where"]](row, number):
                continue
            is_met = True
            several = ratings(row, mapping)
            if not several:
                continue  # a row without a rating needs no key
            segment = key(row, number, mapping)
            for fields in several:
                if fields is None:
                    wrong.append(number + 1)
                    continue
                record = {"segment": segment} | fields
                repeats = str(sorted(record.items(), key=str)) in seen
                seen.add(str(sorted(record.items(), key=str)))
                if not (mapping["distinct"] and repeats):
                    found.append((number, record))
        except WrongError:
            wrong.append(number + 1)
    if mapping["where"] and not is_met and not wrong:
        wrong = [None]  # No row meets the conditions.
    return found, sorted(set(wrong))


def key(row, number, mapping):
    made = mapping["columns"]["segment"]
    if made == "[#]":
        return str(number)
    if "joined" in made:
        return ":".join(row[c].replace("\\", "\\\\").replace(":", "\\:") for c in ("doc", "n"))
    text = row["doc"]
    if not text:
        raise WrongError
    return hashlib.sha256(text.encode()).hexdigest()[:12] if "key" in made else text


def ratings(row, mapping):
    """Return the fields of each rating of a row; None for one whose score is none."""
    fields = {"system": "X"} if "system" in mapping["columns"] else {}
    if "wide" in mapping:
        by_name = "{system}" not in mapping["wide"]["pattern"]
        several = []
        for column, (aspect, system) in WIDE.items():
            if by_name and system != "X":
                continue
            cell = row[column]
            if cell == "":
                continue
            several.append(scored(fields | {"aspect": aspect, "system": system}, cell))
        return several
    meanings = SCORES[mapping["columns"]["score"].removeprefix("= ")]
    return [scored(fields, meanings.get(row["plain"], row["plain"]))]


def scored(fields, cell):
    """Return the fields with a score; None if the cell is none."""
    if cell is None:
        return fields
    try:
        return fields | {"score": float(cell)}
    except ValueError:
        return None


def written(folder, table, kind):
    path = Path(folder) / f"r.{kind}"
    if kind == "jsonl":
        path.write_text("\n" + "".join(json.dumps(nested(row)) + "\n" for row in table))
    else:
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)
        path.write_text(out.getvalue())
    return SourceFile(path, path.name, kind)


def nested(row):
    """Put the cells of spread columns into an object."""
    inner = {name.removeprefix("s."): row[name] for name in WIDE}
    return {name: row[name] for name in COLUMNS if name not in WIDE} | {"s": inner}


def named(found):
    """Return the records with the names of their fields, without empty ones."""
    return [
        (line, {n: v for n, v in zip(RATINGS.names, values, strict=True) if v not in ("", None)})
        for line, values in found
    ]


EMPTY = dict.fromkeys(COLUMNS, "")
BY_NAME = {"value": "score", "pattern": "s.{aspect}-X"}


@pytest.mark.parametrize("examples", [6, pytest.param(60, marks=pytest.mark.nightly)])
def test_records_and_problems_are_those_of_the_reference(examples):
    @settings(deadline=None, max_examples=examples)
    @example(
        [EMPTY | {"doc": "d", "s.a-X": "3"}, EMPTY],
        {
            **{"table": "ratings", "columns": {"segment": "doc", "system": "= 'X'"}},
            **{"wide": BY_NAME, "where": "", "distinct": False},
        },
        "csv",
    )
    @given(tables, mappings(), st.sampled_from(["csv", "jsonl"]))
    def check(table, plain, kind):
        assert_as_expected(table, plain, kind)

    check()


def assert_as_expected(table, plain, kind):
    mapping = Mapping.from_dict(plain)
    assert Mapping.from_dict(json.loads(json.dumps(mapping.to_dict()))) == mapping
    right, wrong = expected(table, plain)
    with TemporaryDirectory() as folder:
        source = written(folder, table, kind)
        log, again = ProblemLog(10_000), ProblemLog(10_000)
        assert named(records(source, mapping, RATINGS, log)) == right
        lines = sorted({problem.line for problem in log.problems})
        if mapping.distinct:  # Equal rows with equal faults are named once.
            assert lines[:1] == wrong[:1]
            assert set(lines) <= set(wrong)
        else:
            assert lines == wrong
        assert named(Records(blocks(source, mapping, RATINGS, again))) == right
    assert again.to_dict() == log.to_dict()
    for problem in log.problems:
        assert problem.column in (*COLUMNS, "score") or problem.code == "nothing"
