"""Rows chosen by conditions: all must hold, and what is left out is counted by its reason."""

import pytest

from tests.fixtures.mapped_tables import read, saved

HEADER = ["id", "sys", "text", "split", "words"]
ROWS = [
    HEADER,
    ["1", "A", "x", "test", "3"],
    ["2", "A", "x", "dev", "8"],
    ["3", "A", "x", "train", ""],
    ["4", "A", "x", "", "4.5"],
    ["5", "A", "x", "test", "NA"],
]
MAPPING = {"table": "outputs", "columns": {"segment": "id", "system": "sys", "output": "text"}}


def kept(folder, *where, **more):
    found, log = read(saved(folder, "o.csv", ROWS), MAPPING | {"where": list(where)} | more)
    return "".join(record["segment"] for record in found), dict(log.counts), log


@pytest.mark.parametrize(
    ("condition", "expected", "counts"),
    [
        ({"allowed": ["test"]}, "15", {"rows left out, because split is not test": 3}),
        (
            {"allowed": ["test", ""]},
            "145",
            {"rows left out, because split is not test or empty": 2},
        ),
        (
            {"refused": ["dev", ""]},
            "135",
            {"rows left out, because split is dev": 1, "rows left out, because split is empty": 1},
        ),
        ({"empty": False}, "1235", {"rows left out, because split is empty": 1}),
        ({"empty": True}, "4", {"rows left out, because split is not empty": 4}),
    ],
)
def test_texts_are_compared_exactly(condition, expected, counts, tmp_path):
    segments, found, log = kept(tmp_path, {"column": "split"} | condition)
    assert (segments, found, log.problems) == (expected, counts, ())


def test_numbers_are_compared_and_missing_ones_are_left_out(tmp_path):
    bounds = {"column": "words", "at_least": 3, "at_most": 5}
    segments, counts, log = kept(tmp_path, bounds, missing=["NA"])
    assert segments == "14"
    assert counts == {
        "rows left out, because words is above 5": 1,
        "rows left out, because words is missing": 2,
    }
    assert log.problems == ()


def test_rows_whose_cell_is_no_number_are_left_out_and_counted(tmp_path):
    segments, counts, log = kept(tmp_path, {"column": "words", "at_least": 3.5})
    assert (segments, log.problems) == ("24", ())
    assert counts["rows left out, because words is no number"] == 1


def test_values_of_json_are_compared_as_they_are_written(tmp_path):
    objects = [
        {"id": str(n), "sys": "A", "text": "x", "ok": ok}
        for n, ok in enumerate([True, 1, 1.0, None, "true"])
    ]
    source = saved(tmp_path, "o.jsonl", objects)

    def chosen(condition):
        found, _ = read(source, MAPPING | {"where": [{"column": "ok"} | condition]})
        return [record["segment"] for record in found]

    assert chosen({"allowed": ["true"]}) == ["0", "4"]
    assert chosen({"allowed": ["1"]}) == ["1"]
    assert chosen({"allowed": ["1.0"]}) == ["2"]
    assert chosen({"empty": True}) == ["3"]
