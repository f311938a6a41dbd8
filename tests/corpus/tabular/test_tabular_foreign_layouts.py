"""Five layouts that are not those of the shared studies, guessed and read."""

import json

import pytest

from corpus.tabular.guesses.guessing import guess
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.mapping import Mapping, Wide
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.tabular_reading import preview, records
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


def test_one_column_per_rater(tmp_path):
    source = saved(
        tmp_path, "scores.csv", "segment,system,rater1,rater2,rater3\ns1,A,1,2,3\ns2,A,4,,5\n"
    )
    found = guess_file(source, SPECS)
    (mapping,) = found.mappings
    assert mapping.table == "ratings"
    assert mapping.wide == Wide("rater", "score", ("rater1", "rater2", "rater3"), None, True)
    assert [(r["segment"], r["rater"], r["score"]) for r in read(source, mapping)] == [
        ("s1", "rater1", 1.0),
        ("s1", "rater2", 2.0),
        ("s1", "rater3", 3.0),
        ("s2", "rater1", 4.0),
        ("s2", "rater3", 5.0),
    ]


def test_one_column_per_metric(tmp_path):
    source = saved(
        tmp_path, "automatic.csv", "segment,system,bleu,chrf,bertscore\ns1,A,0.1,0.2,0.3\n"
    )
    mapping = guessed(source)["metric_scores"]
    assert [(r["metric"], r["score"]) for r in read(source, mapping)] == [
        ("bleu", 0.1),
        ("chrf", 0.2),
        ("bertscore", 0.3),
    ]


def test_a_bad_cell_of_a_wide_table_is_placed_at_its_own_column(tmp_path):
    source = saved(tmp_path, "m.csv", "segment,system,bleu,chrf\ns1,A,0.1,0.2\ns2,A,x,y\n")
    mapping = Mapping(
        "metric_scores",
        {"segment": "segment", "system": "system"},
        wide=Wide("metric", "score", ("bleu", "chrf")),
    )
    log = ProblemLog()
    assert len(list(records(source, mapping, spec_named("metric_scores"), log))) == 2
    assert [(p.line, p.column, p.found) for p in log.problems] == [
        (3, "bleu", "x"),
        (3, "chrf", "y"),
    ]


def test_one_file_per_system_takes_the_system_from_its_name(tmp_path):
    source = saved(tmp_path, "BART-large.csv", "id,text\ns1,Hello.\ns2,\n")
    mapping = guessed(source)["outputs"]
    assert mapping.constants == {"system": "BART-large"}
    assert read(source, mapping) == [
        {"segment": "s1", "system": "BART-large", "output": "Hello."},
        {"segment": "s2", "system": "BART-large"},
    ]


def test_a_file_named_after_a_table_is_no_system(tmp_path):
    outputs = guess(("id", "text"), (), SPECS, file_name="outputs.csv")
    assert [mapping.table for mapping in outputs.mappings] == ["outputs"]
    assert outputs.missing == {"outputs": ("system",)}
    sources = guess(("id", "text"), (), SPECS, file_name="sources.csv")
    assert [(m.table, m.columns["source"]) for m in sources.mappings] == [("segments", "text")]


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


def test_values_inside_nested_json_are_placed_on_their_line(tmp_path):
    bad = json.loads(json.dumps(NESTED[0]))
    bad["ratings"][1]["scores"]["style"] = "five"
    source = saved(tmp_path, "all.jsonl", f"{json.dumps(NESTED[1])}\n{json.dumps(bad)}\n")
    mapping = guessed(saved(tmp_path, "good.jsonl", json.dumps(NESTED[0])))["ratings"]
    log = ProblemLog()
    assert len(list(records(source, mapping, spec_named("ratings"), log))) == 2
    (problem,) = log.problems
    assert (problem.line, problem.found) == (2, "five")


CROWD = """\
HITId,WorkerId,Input.source,Input.output,Input.system,Answer.content,Answer.style,Answer.comment
h1,w1,wat?,What?,A,5,4,
h1,w2,wat?,What?,A,4,4,"so, so"
h2,w1,wat?,Wat.,B,3,1,
"""


def test_a_crowd_platforms_batch_holds_three_tables_keyed_by_the_source_text(tmp_path):
    source = saved(tmp_path, "Batch_123_results.csv", CROWD)
    mappings = guessed(source)
    assert list(mappings) == ["segments", "outputs", "ratings"]
    segments = read(source, mappings["segments"])
    assert [r["source"] for r in segments] == ["wat?"]
    key = segments[0]["segment"]
    assert len(key) == 12
    assert read(source, mappings["outputs"]) == [
        {"segment": key, "system": "A", "output": "What?"},
        {"segment": key, "system": "B", "output": "Wat."},
    ]
    ratings = read(source, mappings["ratings"])
    assert {r["segment"] for r in ratings} == {key}
    assert [(r["system"], r["rater"], r["aspect"], r["score"]) for r in ratings] == [
        ("A", "w1", "content", 5.0),
        ("A", "w1", "style", 4.0),
        ("A", "w2", "content", 4.0),
        ("A", "w2", "style", 4.0),
        ("B", "w1", "content", 3.0),
        ("B", "w1", "style", 1.0),
    ]
    assert [r.get("comment") for r in ratings[2:4]] == ["so, so", "so, so"]


def test_columns_that_nothing_reads_are_named(tmp_path):
    assert guess_file(saved(tmp_path, "batch.csv", CROWD), SPECS).unused == ("HITId",)


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


def test_a_metric_scores_file_that_is_not_numeric_is_not_spread():
    found = guess(("segment", "system", "bleu"), [("s", "A", "good")], SPECS)
    assert found.mappings == ()


def test_probabilities_and_references_may_be_objects_and_lists(tmp_path):
    lines = [
        {"id": 1, "source": "a", "references": ["x", "", "y"]},
        {"id": 2, "source": "b", "references": None},
    ]
    source = saved(tmp_path, "s.jsonl", "\n".join(map(json.dumps, lines)))
    mapping = Mapping(
        "segments",
        {"segment": "id", "source": "source", "reference": "references"},
    )
    assert read(source, mapping) == [
        {
            "segment": "1",
            "source": "a",
            "reference": ("x", "y"),
        },
        {"segment": "2", "source": "b"},
    ]
    line = {"id": "1", "system": "A", "classifier": "c", "probabilities": {"f": 0.25, "i": 0.75}}
    source = saved(tmp_path, "d.jsonl", json.dumps(line))
    mapping = guessed(source)["style_distributions"]
    assert read(source, mapping)[0]["probabilities"] == {"f": 0.25, "i": 0.75}


def test_systems_keep_their_further_columns(tmp_path):
    source = saved(tmp_path, "systems.csv", "system,human,group,year\nA,false,mt,2020\nR,true,,\n")
    mapping = guessed(source)["systems"]
    first, second = read(source, mapping)
    further = {"group": "mt", "year": "2020"}
    assert first == {"system": "A", "human": "false", "attributes": further}
    assert second == {"system": "R", "human": "true", "attributes": {"group": "", "year": ""}}


def test_published_values_carry_their_conditions_as_json(tmp_path):
    text = 'where,what,conditions,value,decimals,note\nT1,r,"{""n"": 3}",0.5,2,\nT1,r,{,1,x,\n'
    source = saved(tmp_path, "published_values.csv", text)
    mapping = guess_file(source, SPECS).mappings[0]
    spec, log = spec_named("published_values"), ProblemLog()
    found = [values for _, values in records(source, mapping, spec, log)]
    assert found == [("T1", "r", {"n": 3}, 0.5, 2, "")]
    assert [(p.line, p.column, p.code) for p in log.problems] == [
        (3, "conditions", "json"),
        (3, "decimals", "number"),
    ]


def test_a_preview_shows_nested_values(tmp_path):
    source = saved(tmp_path, "all.jsonl", "\n".join(map(json.dumps, NESTED)))
    shown = preview(source, 1)
    assert dict(zip(shown.columns, shown.rows[0], strict=True)) == {
        "id": "s1",
        "source": "wat?",
        "domain.name": "chat",
        "outputs.A": "What?",
        "outputs.B-0.1": "",
        "outputs.C": "",
        "ratings[].system": "A",
        "ratings[].rater": "r1",
        "ratings[].scores.style": "3",
        "ratings[].scores.content": "4.5",
        "ratings[].scores.fluency": "",
    }
