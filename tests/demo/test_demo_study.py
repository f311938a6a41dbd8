"""The demo study: regenerated to the byte, complete, marked as simulated."""

import json
from itertools import pairwise

import numpy as np
import pandas as pd
import pingouin
import pytest
import sacrebleu
from scipy import stats

from demo import plan
from demo.make_demo import FOLDER, true_quality, write_demo
from demo.scores import formal_share
from tests.fixtures.nonempty import at_least_one

STAND_INS = ["careful", "plain", "rules", "template", "scrambled"]


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


def test_mean_scores_of_the_systems_are_clearly_ordered(ratings):
    means = ratings[ratings["system"] != "REF"].groupby("system")["score"].mean()
    ordered = means.sort_values(ascending=False)
    assert ordered.index.tolist() == STAND_INS
    assert (-np.diff(ordered)).min() > 3
    per_segment = ratings.groupby(["system", "segment_id"])["score"].mean().unstack(0)
    for better, worse in pairwise(STAND_INS):
        assert stats.wilcoxon(per_segment[better], per_segment[worse]).pvalue < 0.01


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, inside pingouin
def test_annotators_of_one_survey_agree_but_not_perfectly(ratings):
    ratings = ratings.assign(item=ratings["segment_id"] + ratings["system"])
    for (_, survey), part in at_least_one(ratings.groupby(["aspect", ratings["rater"].str[10:17]])):
        table = pingouin.intraclass_corr(part, "item", "rater", "score").set_index("Type")
        assert 0.6 < table.loc["ICC(1,1)", "ICC"] < 0.95, survey


def test_the_declared_severities_come_back_from_the_ratings(segments, ratings):
    quality = pd.Series(
        true_quality(len(segments)).ravel(),
        index=pd.MultiIndex.from_product(
            [segments["segment_id"], [one.name for one in plan.SYSTEMS], plan.ASPECTS]
        ),
    )
    keys = pd.MultiIndex.from_frame(ratings[["segment_id", "system", "aspect"]])
    ratings = ratings.assign(true=quality.loc[keys].to_numpy())
    inside = ratings[ratings["true"].between(35, 65)]
    for name, _, annotator in plan.ANNOTATORS:
        mine = inside[inside["rater"] == name]
        attentive = 50 + annotator.scale_use * (mine["true"] - 50) - annotator.severity
        expected = (1 - annotator.carelessness) * attentive + annotator.carelessness * 50
        error = mine["score"] - expected
        assert abs(error.mean()) < 4 * error.std() / np.sqrt(len(error)), name


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


def test_the_share_of_formal_markers_tells_the_styles_apart(segments):
    formal = segments["target_style"] == "formal"
    to_formal, to_informal = segments[formal], segments[~formal]
    references = ["reference_1", "reference_2"]
    high = pd.concat([to_informal["source"], to_formal[references].stack()]).map(formal_share)
    low = pd.concat([to_formal["source"], to_informal[references].stack()]).map(formal_share)
    area = stats.mannwhitneyu(high, low).statistic / (len(high) * len(low))
    assert area > 0.95
    assert formal_share("tea") == pytest.approx(1 / 4)
    assert formal_share("Please wait.") == pytest.approx(4 / 5)
