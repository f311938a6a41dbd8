"""Texts with other meanings: looked up before a cell becomes a value, also under wide."""

from corpus.tabular.problems import ProblemLog
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.mapped_tables import places, read, saved
from tests.fixtures.tabular_reading import blocks
from tests.fixtures.tabular_specs import METRIC_SCORES, field_values

MAPPING = {
    "table": "ratings",
    "columns": {"segment": "id", "system": "sys", "score": "ok"},
    "values": {"score": {"yes": "1", "no": "0"}},
}
HEADER = ["id", "sys", "ok"]


def scores(folder, cells, **more):
    rows = [HEADER, *([str(n), "A", cell] for n, cell in enumerate(cells))]
    found, log = read(saved(folder, "r.csv", rows), MAPPING | more)
    return [record.get("score") for record in found], log


def test_an_empty_cell_can_mean_something_and_a_meaning_can_be_missing(tmp_path):
    table = {"score": {"": "0", "unsure": "NA"}}
    found, log = scores(tmp_path, ["", "unsure", "1"], values=table, missing=["NA"])
    assert found == [0, None, 1]
    assert log.problems == ()


WIDE = {
    "table": "metric_scores",
    "columns": {"segment": "id", "system": "sys"},
    "wide": {"name": "metric", "value": "score", "columns": ["b", "t"], "skip_empty": True},
    "values": {"score": {"good": "2"}},
}


def test_cells_of_spread_columns_are_looked_up_too(tmp_path):
    source = saved(
        tmp_path, "m.csv", [["id", "sys", "b", "t"], ["1", "A", "good", "3"], ["2", "A", "", "bad"]]
    )
    found, log = read(source, WIDE)
    assert [(r["metric"], r["score"]) for r in found] == [("b", 2), ("t", 3)]
    assert places(log) == [(3, "t", "bad", "number")]
    mapping, again = Mapping.from_dict(WIDE), ProblemLog()
    in_blocks = Records(blocks(source, mapping, METRIC_SCORES, again))
    found = field_values(METRIC_SCORES, in_blocks, "metric", "score")
    assert found == [("b", 2), ("t", 3)]
    assert again.problems == log.problems


def test_values_of_json_are_looked_up_as_they_are_written(tmp_path):
    objects = [
        {"id": str(n), "sys": "A", "ok": ok} for n, ok in enumerate([True, False, 1.0, None])
    ]
    table = {"values": {"score": {"true": "5", "false": "1", "1.0": "2"}}, "missing": [""]}
    found, log = read(saved(tmp_path, "r.jsonl", objects), MAPPING | table)
    assert [record.get("score") for record in found] == [5, 1, 2, None]
    assert log.problems == ()


def test_words_of_a_judgement_and_names_of_systems_are_translated(tmp_path):
    mapping = {
        "table": "ratings",
        "columns": {"segment": "q", "system": "a", "against": "b", "judgement": "winner"},
        "values": {
            "judgement": {"model_a": "system", "model_b": "against", "tie (bothbad)": "tie"},
            "system": {"gpt4": "GPT-4"},
        },
    }
    rows = [
        ["q", "a", "b", "winner"],
        ["1", "gpt4", "x", "model_a"],
        ["2", "x", "gpt4", "tie (bothbad)"],
    ]
    found, _ = read(saved(tmp_path, "r.csv", rows), mapping)
    assert [(r["system"], r["against"], r["judgement"]) for r in found] == [
        ("GPT-4", "x", "system"),
        ("x", "gpt4", "tie"),
    ]
