"""The demo study: regenerated to the byte, complete, marked as simulated."""

import json

import pandas as pd
import pytest
import sacrebleu

from demo.make_demo import FOLDER, write_demo
from tests.fixtures.nonempty import at_least_one


def read(name: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / name, keep_default_na=False)


@pytest.fixture(scope="module")
def segments() -> pd.DataFrame:
    return read("segments.csv")


@pytest.fixture(scope="module")
def outputs() -> pd.DataFrame:
    return read("outputs.csv")


@pytest.fixture(scope="module")
def ratings() -> pd.DataFrame:
    return read("ratings.csv")


@pytest.fixture(scope="module")
def metric_scores() -> pd.DataFrame:
    return read("metric_scores.csv")


def test_regenerating_gives_the_committed_files_byte_for_byte(tmp_path):
    write_demo(tmp_path)
    committed = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == committed


def test_everything_says_that_the_ratings_are_simulated(ratings):
    study = json.loads((FOLDER / "study.json").read_text(encoding="utf-8"))
    assert study["simulated"] is True
    assert "SIMULATED RATINGS" in study["description"]
    assert "simulated" in study["title"]
    assert ratings["rater"].str.startswith("simulated-").all()
    assert ratings["rater"].nunique() == 8


def test_metric_scores_are_those_of_the_texts(segments, outputs, metric_scores):
    table = metric_scores.merge(outputs).merge(segments)
    sentence = {
        "chrf": lambda text, others: sacrebleu.sentence_chrf(text, others).score,
        "bleu": lambda text, others: sacrebleu.sentence_bleu(text, others).score,
        "length-ratio": lambda text, others: (
            (text.count(" ") + 1) * len(others) / sum(other.count(" ") + 1 for other in others)
        ),
    }
    for row in at_least_one(table[table["metric"] != "formal-share"].itertuples()):
        references = [row.reference_1, row.reference_2]
        compared = [row.source] if row.compared_to == "source" else references
        expected = sentence[row.metric](row.output, compared)
        assert row.score == pytest.approx(expected, abs=5.1e-5)
