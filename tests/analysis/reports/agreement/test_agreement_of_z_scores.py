"""Agreement of z-scores and ranks: each annotator's scale taken off before raters are compared."""

from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import pytest

from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.models import Study
from tests.fixtures.report_pages import DEMO

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo")]


@pytest.fixture(scope="module")
def ratings() -> pd.DataFrame:
    """The ratings of style, with z-scores and ranks over all that each annotator rated."""
    table = pd.read_csv(DEMO / "ratings.csv", keep_default_na=False)
    style = table[table["aspect"] == "style"].copy()
    scores = style.groupby("rater")["score"]
    style["z"] = (style["score"] - scores.transform("mean")) / scores.transform("std", ddof=0)
    style["rank"] = scores.rank()
    style["survey"] = style["rater"].str.extract(r"survey(\d)")
    return style


def _numbers(scores: str, **asked: Any) -> dict[str, Any]:
    content = report(Study.objects.get(), "agreement", Question(scores=scores, **asked))["content"]
    return {
        row["statistic"]: row["result"]
        for row in content["numbers"]
        if (row["aspect"], row["batch"], row["humans"]) == ("style", "all", "out")
    }


def _by_slot(ratings: pd.DataFrame, column: str) -> np.ndarray:
    """Return outputs × slots without the human-written system, in the order of the file."""
    kept = ratings[ratings["system"] != "REF"]
    return np.array([g[column] for _, g in kept.groupby(["segment_id", "system"], sort=False)])


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, inside pingouin
@pytest.mark.parametrize("scores", ["z", "rank"])
def test_the_numbers_are_those_of_other_packages(ratings: pd.DataFrame, scores: str) -> None:
    found = _numbers(scores)
    slots = _by_slot(ratings, scores)
    alpha = krippendorff.alpha(slots.T, level_of_measurement="interval")
    assert found["alpha-interval"]["value"] == pytest.approx(alpha, abs=1e-12)
    long = pd.DataFrame(
        {
            "target": np.repeat(np.arange(len(slots)), slots.shape[1]),
            "rater": np.tile(np.arange(slots.shape[1]), len(slots)),
            "score": slots.ravel(),
        }
    )
    icc = pingouin.intraclass_corr(long, "target", "rater", "score").set_index("Type")["ICC"]
    assert found["icc-1-1"]["value"] == pytest.approx(icc.iloc[0], abs=1e-9)
    assert found["icc-1-k"]["value"] == pytest.approx(icc.iloc[3], abs=1e-9)
    for name in ("alpha-interval", "icc-1-1", "pearson"):
        assert f"|human:{scores}|" in found[name]["signature"]
        low, high = (found[name]["interval"][end] for end in ("low", "high"))
        assert low < found[name]["value"] < high


def test_z_scores_are_taken_before_any_filter(ratings: pd.DataFrame) -> None:
    found = _numbers("z", direction="informal-to-formal", leave_out=("plain",))
    way = ratings["segment_id"].str.startswith("if") & (ratings["system"] != "plain")
    alpha = krippendorff.alpha(_by_slot(ratings[way], "z").T, level_of_measurement="interval")
    assert found["alpha-interval"]["value"] == pytest.approx(alpha, abs=1e-12)
