"""The demo study: regenerated to the byte, complete, marked as simulated."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pingouin
import pytest
import sacrebleu
from scipy import stats

from demo import plan
from demo.make_demo import FOLDER, TEXTS, true_quality, write_demo
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


def test_there_are_24_segments_of_each_direction_spread_over_surveys_and_domains(segments):
    directions = segments.groupby(["source_style", "target_style"]).size().to_dict()
    assert directions == {("formal", "informal"): 24, ("informal", "formal"): 24}
    assert set(segments.groupby(["source_style", "survey"]).size()) == {12}
    assert set(segments.groupby("domain").size()) == {4}


def test_no_two_segments_share_a_source_and_no_text_is_written_twice(segments):
    assert segments["segment_id"].is_unique
    assert segments["source"].is_unique
    written = pd.read_csv(TEXTS)[["source", "reference_1", "reference_2", "careful", "plain"]]
    assert pd.Series(written.to_numpy().ravel()).is_unique


def test_every_system_has_one_output_of_every_segment(segments, outputs):
    names = [system.name for system in plan.SYSTEMS]
    assert read("systems.csv")["system"].tolist() == names
    expected = [(key, name) for key in segments["segment_id"] for name in names]
    assert list(zip(outputs["segment_id"], outputs["system"], strict=True)) == expected
    assert (outputs["output"].str.strip() != "").all()


def test_outputs_belong_to_the_source_beside_them(segments, outputs):
    wide = outputs.pivot(index="segment_id", columns="system", values="output")
    by_key = segments.set_index("segment_id")
    assert (wide["REF"] == by_key["reference_1"].loc[wide.index]).all()
    for key, text in wide["scrambled"].items():
        assert set(text.split()) <= set(by_key.loc[key, "source"].split())
    closest = [
        max(by_key.index, key=lambda key: sacrebleu.sentence_chrf(text, [by_key.source[key]]).score)
        for text in wide["rules"]
    ]
    assert closest == wide.index.tolist()


def test_each_output_is_rated_by_the_four_annotators_of_its_survey(segments, ratings):
    assert len(ratings) == 48 * 6 * 4 * 3
    keys = ["segment_id", "system", "rater", "aspect"]
    assert not ratings.duplicated(keys).any()
    assert set(ratings.groupby([*keys[:2], "aspect"])["rater"].nunique()) == {4}
    survey = ratings["segment_id"].map(segments.set_index("segment_id")["survey"]).astype(str)
    assert (ratings["rater"].str.extract(r"survey(\d)")[0] == survey).all()
    assert ratings["score"].between(0, 100).all()


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


def test_metric_scores_cover_every_output_and_a_reference_is_not_its_own_judge(metric_scores):
    assert not metric_scores.duplicated(["segment_id", "system", "metric", "compared_to"]).any()
    counts = metric_scores.groupby(["metric", "compared_to"]).size().to_dict()
    compared = {
        (m, c): n
        for m in ("bleu", "chrf", "length-ratio")
        for c, n in (("source", 288), ("reference", 240))
    }
    assert counts == compared | {("formal-share", ""): 288}
    against = metric_scores[metric_scores["compared_to"] == "reference"]
    assert "REF" not in set(against["system"])


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


def test_no_file_of_the_demo_names_anything_but_itself():
    assert {path.name for path in Path(FOLDER).iterdir()} == {
        "segments.csv",
        "outputs.csv",
        "systems.csv",
        "ratings.csv",
        "metric_scores.csv",
        "study.json",
    }
