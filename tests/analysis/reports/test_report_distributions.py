"""Box plots, system by system, of metrics and of people, beside pandas on the imported files."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.stats.systems.distribution import SHARES, score_distribution
from tests.fixtures.report_pages import DEMO, reader

STUDY = "/studies/formality-demo"
SHOWN = {"low": 0.05, "quarter": 0.25, "median": 0.5, "three_quarters": 0.75, "high": 0.95}


@pytest.fixture
def client(demo_reports, db):
    return reader("ada", "formality-demo")


def boxes(client, kind: str, chart: str, query: str = "") -> dict[str, dict[str, Any]]:
    answer = client.get(f"{STUDY}/{kind}/charts/{chart}.vl.json?{query}")
    return {value["group"]: value for value in answer.json()["data"]["values"]}


def test_summaries_are_those_of_pandas_and_leave_out_what_is_missing():
    scores = np.random.default_rng(3).normal(size=(40, 3))
    scores[::4] = np.nan
    found = score_distribution(scores)
    series = pd.Series(scores.ravel()).dropna()
    assert found is not None
    assert (found.n, found.mean) == (len(series), pytest.approx(series.mean()))
    assert found.sd == pytest.approx(series.std(ddof=0))
    assert found.quantiles == pytest.approx([series.quantile(q) for q in SHARES])
    assert score_distribution([float("nan")]) is None


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
