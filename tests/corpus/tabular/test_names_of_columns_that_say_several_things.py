"""Columns whose names say several things: every placeholder of the pattern is a field."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.tabular.shaping.wide import WidePattern, split_names
from tests.fixtures.mapped_tables import places, read, saved


def cells(found):
    return [(r["segment"], r["aspect"], r["system"], r.get("score")) for r in found]


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
