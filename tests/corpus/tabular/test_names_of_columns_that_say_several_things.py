"""Columns whose names say several things: every placeholder of the pattern is a field."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.tabular.problems import TableError
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.wide import WidePattern, split_names
from tests.fixtures.mapped_tables import places, read, saved

MAPPING = {
    "table": "ratings",
    "columns": {"segment": "HITId", "rater": "WorkerId"},
    "wide": {"value": "score", "pattern": "Answer.{aspect}-{system}"},
}
HEADER = ["HITId", "WorkerId", "Answer.fluency-A", "Answer.meaning-A", "Answer.fluency-B"]


def cells(found):
    return [(r["segment"], r["aspect"], r["system"], r.get("score")) for r in found]


def test_each_cell_is_a_record_with_a_field_for_each_placeholder(tmp_path):
    source = saved(
        tmp_path, "b.csv", [HEADER, ["h1", "w", "4", "5", "3"], ["h2", "w", "1", "2", "x"]]
    )
    found, log = read(source, MAPPING)
    assert cells(found) == [
        ("h1", "fluency", "A", 4),
        ("h1", "meaning", "A", 5),
        ("h1", "fluency", "B", 3),
        ("h2", "fluency", "A", 1),
        ("h2", "meaning", "A", 2),
    ]
    assert places(log) == [(3, "Answer.fluency-B", "x", "number")]


def test_empty_cells_are_passed_over_if_the_mapping_says_so(tmp_path):
    source = saved(tmp_path, "b.csv", [HEADER, ["h1", "w", "", "NA", "3"]])
    wide = MAPPING["wide"] | {"skip_empty": True}
    found, log = read(source, MAPPING | {"wide": wide, "missing": ["NA"]})
    assert cells(found) == [("h1", "fluency", "B", 3)]
    assert log.counts == {"empty cells passed over": 2}
    _, log = read(source, MAPPING)
    assert places(log) == [
        (2, "Answer.fluency-A", "nothing", "number"),
        (2, "Answer.meaning-A", "NA", "number"),
    ]


def test_a_name_that_splits_in_two_ways_is_split_by_the_parts_that_others_have(tmp_path):
    header = ["id", "fluency-T5-base", "fluency-BART", "meaning-T5-base", "meaning-BART"]
    mapping = {"table": "ratings", "columns": {"segment": "id"}}
    mapping |= {"wide": {"value": "score", "pattern": "{aspect}-{system}"}}
    found, log = read(saved(tmp_path, "b.csv", [header, ["1", "1", "2", "3", "4"]]), mapping)
    assert [(r["aspect"], r["system"]) for r in found] == [
        ("fluency", "T5-base"),
        ("fluency", "BART"),
        ("meaning", "T5-base"),
        ("meaning", "BART"),
    ]
    assert log.problems == ()


def test_a_name_that_nothing_decides_is_refused(tmp_path):
    header = ["id", "a-b-c", "d-e"]
    mapping = {"table": "ratings", "columns": {"segment": "id"}}
    mapping |= {"wide": {"value": "score", "pattern": "{aspect}-{system}"}}
    found, log = read(saved(tmp_path, "b.csv", [header, ["1", "1", "2"]]), mapping)
    assert found == []
    assert places(log) == [(None, "a-b-c", "a-b-c", "ambiguous")]
    assert log.problems[0].expected.endswith("not aspect a, system b-c or aspect a-b, system c")


def test_columns_can_be_named_and_must_fit_the_pattern(tmp_path):
    source = saved(tmp_path, "b.csv", [HEADER, ["h1", "w", "4", "5", "3"]])
    wide = MAPPING["wide"] | {"columns": ["Answer.fluency-A"]}
    assert cells(read(source, MAPPING | {"wide": wide})[0]) == [("h1", "fluency", "A", 4)]
    wide = MAPPING["wide"] | {"columns": ["WorkerId", "Answer.x-y", "Answer.fluency-A"]}
    _, log = read(source, MAPPING | {"wide": wide})
    assert [(p.column, p.found) for p in log.problems] == [("Answer.{aspect}-{system}", "WorkerId")]
    wide = MAPPING["wide"] | {"columns": ["Answer.x-y"]}
    _, log = read(source, MAPPING | {"wide": wide})
    assert [(p.column, p.code) for p in log.problems] == [("Answer.x-y", "missing-column")]
    wide = MAPPING["wide"] | {"pattern": "Reply.{aspect}-{system}"}
    _, log = read(source, MAPPING | {"wide": wide})
    assert [p.expected for p in log.problems] == ["columns like Reply.{aspect}-{system}"]


OBJECTS = [
    {"id": "1", "scores": {"A": {"fluency": 4, "meaning": 5}, "T5-base": {"fluency": 3}}},
    {"id": "2", "scores": {"C.1": {"fluency": "x"}, "note": "none"}},
    {"id": "3"},
]
NESTED = {
    "table": "ratings",
    "columns": {"segment": "id"},
    "wide": {"value": "score", "pattern": "scores.{system}.{aspect}"},
}


def test_objects_inside_objects_of_json_have_whatever_keys_they_have(tmp_path):
    source = saved(tmp_path, "r.jsonl", OBJECTS)
    found, log = read(source, NESTED)
    assert cells(found) == [
        ("1", "fluency", "A", 4),
        ("1", "meaning", "A", 5),
        ("1", "fluency", "T5-base", 3),
    ]
    assert [(p.line, p.column, p.found) for p in log.problems] == [(2, "scores.C.1.fluency", "x")]


def test_keys_of_json_may_say_two_things_too_but_not_in_two_ways(tmp_path):
    objects = [{"id": "1", "r": {"a-X": 1, "b-X": 2, "note": 3}}, {"id": "2"}]
    mapping = NESTED | {"wide": {"value": "score", "pattern": "r.{aspect}-{system}"}}
    found, log = read(saved(tmp_path, "r.jsonl", objects), mapping)
    assert (cells(found), log.problems) == ([("1", "a", "X", 1), ("1", "b", "X", 2)], ())
    objects[1]["r"] = {"a-b-X": 1}
    found, log = read(saved(tmp_path, "r.jsonl", objects), mapping)
    assert (found, places(log)) == ([], [(None, "r.a-b-X", "r.a-b-X", "ambiguous")])


names = st.text(alphabet="ab-.", max_size=7)


@settings(deadline=None)
@given(st.sampled_from(["{x}-{y}", "s{x}.{y}-{z}", "{x}--{y}e", "-{x}"]), names)
def test_the_ways_to_split_a_name_are_all_there_are(pattern, name):
    parsed = WidePattern.of(pattern)
    pieces = [name[i:j] for i, j in itertools.combinations(range(len(name) + 1), 2)]
    expected = {
        parts
        for parts in itertools.product(set(pieces), repeat=len(parsed.names))
        if "".join(itertools.chain(*zip(parsed.literals, (*parts, ""), strict=True))) == name
    }
    assert sorted(parsed.ways(name)) == sorted(expected)


def test_a_name_of_very_many_ways_takes_no_time():
    name = "-" * 1000
    decided, unclear = split_names(WidePattern.of("{a}-{b}-{c}-{d}-{e}"), [name])
    assert (decided, unclear) == ({}, [name])


@pytest.mark.parametrize("pattern", ["{aspect}{system}", "{aspect}-{aspect}", "score", "x{}-{}"])
def test_patterns_that_split_no_name_are_refused(pattern):
    with pytest.raises(TableError, match="Choose again"):
        Mapping.from_dict(MAPPING | {"wide": {"value": "score", "pattern": pattern}})


def test_a_placeholder_that_is_no_field_is_named(tmp_path):
    source = saved(tmp_path, "b.csv", [HEADER, ["h1", "w", "4", "5", "3"]])
    wide = {"value": "score", "pattern": "Answer.{aspect}-{model}"}
    _, log = read(source, MAPPING | {"wide": wide})
    assert [(p.column, p.found) for p in log.problems] == [
        ("model", "model"),
        (None, ", ".join(HEADER)),
    ]
