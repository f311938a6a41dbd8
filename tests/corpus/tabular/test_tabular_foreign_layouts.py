"""Five layouts that are not those of the shared studies, guessed and read."""

import json

import pytest

from corpus.tabular.guesses.guessing import guess
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.mapping import Mapping, Wide
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.tabular_reading import records
from tests.fixtures.tabular_specs import SPECS, spec_named


def saved(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return SourceFile(path, name, name.rpartition(".")[2])


def read(source, mapping):
    """Return the records as dictionaries of the fields that have a value."""
    spec, log = spec_named(mapping.table), ProblemLog()
    found = [
        {
            name: value
            for name, value in zip((*spec.names, "attributes"), values, strict=False)
            if value not in ("", None, (), {})
        }
        for _, values in records(source, mapping, spec, log)
    ]
    assert log.problems == ()
    return found


def guessed(source):
    """Return the mappings proposed for a file, all of them complete, by table."""
    found = guess_file(source, SPECS)
    assert found.is_complete
    return {mapping.table: mapping for mapping in found.mappings}


def test_a_bad_cell_of_a_wide_table_is_placed_at_its_own_column(tmp_path):
    source = saved(tmp_path, "m.csv", "segment,system,bleu,chrf\ns1,A,0.1,0.2\ns2,A,x,y\n")
    mapping = Mapping(
        "metric_scores",
        {"segment": "segment", "system": "system"},
        wide=Wide("score", "{metric}", ("bleu", "chrf")),
    )
    log = ProblemLog()
    assert len(list(records(source, mapping, spec_named("metric_scores"), log))) == 2
    assert [(p.line, p.column, p.found) for p in log.problems] == [
        (3, "bleu", "x"),
        (3, "chrf", "y"),
    ]


NESTED = [
    {
        "id": "s1",
        "source": "wat?",
        "domain": {"name": "chat"},
        "outputs": {"A": "What?", "B-0.1": ""},
        "ratings": [
            {"system": "A", "rater": "r1", "scores": {"style": 3, "content": 4.5}},
            {"system": "B-0.1", "rater": "r2", "scores": {"style": 1}},
        ],
    },
    {"id": "s2", "source": "ok", "outputs": {"A": "Okay.", "C": "Fine."}, "ratings": []},
    {
        "id": "s3",
        "source": "no",
        "outputs": {},
        "ratings": [{"system": "A", "rater": "r1", "scores": {"fluency": None, "style": 2}}],
    },
]


def test_nested_json_lines_hold_three_tables(tmp_path):
    source = saved(tmp_path, "all.jsonl", "\n".join(map(json.dumps, NESTED)))
    mappings = guessed(source)
    assert list(mappings) == ["segments", "outputs", "ratings"]
    assert [r["segment"] for r in read(source, mappings["segments"])] == ["s1", "s2", "s3"]
    outputs = read(source, mappings["outputs"])
    assert [(r["segment"], r["system"], r.get("output", "")) for r in outputs] == [
        ("s1", "A", "What?"),
        ("s1", "B-0.1", ""),
        ("s2", "A", "Okay."),
        ("s2", "C", "Fine."),
    ]
    ratings = read(source, mappings["ratings"])
    assert mappings["ratings"].explode == "ratings"
    assert [(r["segment"], r["system"], r["rater"], r["aspect"], r["score"]) for r in ratings] == [
        ("s1", "A", "r1", "style", 3.0),
        ("s1", "A", "r1", "content", 4.5),
        ("s1", "B-0.1", "r2", "style", 1.0),
        ("s3", "A", "r1", "style", 2.0),
    ]


@pytest.mark.parametrize(
    "columns",
    [
        ("text", "style"),
        ("text", "formality"),
        ("segment", "system", "score"),
        ("segment", "system", "length"),
        ("a", "b", "c"),
        ("id",),
        (),
    ],
)
def test_what_no_table_fits_is_unknown(columns):
    found = guess(columns, (), SPECS, file_name="table.csv")
    assert not found.is_complete


def test_two_tables_that_fit_equally_are_not_chosen_between():
    columns = ("segment", "system", "scores.novel")
    found = guess(columns, [("s", "A", "1")], SPECS)
    assert found.mappings == ()
    assert found.reason.startswith("it could hold ratings or metric_scores")
    named = guess(columns, [("s", "A", "1")], SPECS, file_name="ratings.csv")
    assert [mapping.table for mapping in named.mappings] == ["ratings"]
