"""The page of raters, on the demo study and on averaged ratings."""

import pandas as pd
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from tests.fixtures.nonempty import at_least_one

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]


def test_agreement_without_a_rater_is_that_of_the_others(study):
    content = report(study, "raters", Question(aspect="style"))["content"]
    data = matrices.load(study)
    judged = data.judgements
    rated = data.aspect_mask("style") & (data.column_of_output[judged.first] >= 0)
    table = pd.DataFrame(
        {
            "unit": judged.first[rated],
            "rater": judged.annotator[rated],
            "score": judged.value[rated],
        }
    )
    names = [a.pseudonym for a in judged.annotators]
    for row in at_least_one(content["rows"]):
        rest = table[table["rater"] != names.index(row["rater"])]
        found = row["results"]["icc-without"]["value"]
        assert found == pytest.approx(one_way_icc(rest), abs=1e-9), row["rater"]


def one_way_icc(rated: pd.DataFrame) -> float:
    """Return ICC(1) of units with unequal numbers of ratings, by an analysis of variance."""
    anova = anova_lm(ols("score ~ C(unit)", rated).fit())
    between, within = anova["mean_sq"]
    sizes = rated.groupby("unit").size()
    usual = (len(rated) - (sizes**2).sum() / len(rated)) / (len(sizes) - 1)
    return float((between - within) / (between + (usual - 1) * within))
