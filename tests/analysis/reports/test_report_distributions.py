"""Box plots, system by system, of metrics and of people, beside pandas on the imported files."""

from typing import Any

import pandas as pd
import pytest

from tests.fixtures.report_pages import DEMO, reader

STUDY = "/studies/formality-demo"
SHOWN = {"low": 0.05, "quarter": 0.25, "median": 0.5, "three_quarters": 0.75, "high": 0.95}


@pytest.fixture
def client(demo_reports, db):
    return reader("ada", "formality-demo")


def boxes(client, kind: str, chart: str, query: str = "") -> dict[str, dict[str, Any]]:
    answer = client.get(f"{STUDY}/{kind}/charts/{chart}.vl.json?{query}")
    return {value["group"]: value for value in answer.json()["data"]["values"]}


def test_peoples_scores_of_each_system_are_means_of_outputs(client):
    ratings = pd.read_csv(DEMO / "ratings.csv")
    ratings = ratings[ratings["aspect"] == "content"]
    outputs = ratings.groupby(["system", "segment_id"])["score"].mean()
    drawn = boxes(client, "ranking", "human-distributions-1", "aspect=content")
    assert {name.removesuffix(" (human)") for name in drawn} == set(ratings["system"])
    for name, box in drawn.items():
        expected = outputs[name.removesuffix(" (human)")]
        assert box["n"] == len(expected)
        for key, share in SHOWN.items():
            assert box[key] == pytest.approx(expected.quantile(share), abs=1e-9)
