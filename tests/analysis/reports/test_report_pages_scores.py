"""The page of metric scores by themselves, on the demo study."""

import numpy as np
import pytest
from scipy.stats import pearsonr

from analysis.data import matrices
from analysis.data.selection import metric_columns
from analysis.filter.question import Question
from analysis.reports.service import report
from tests.fixtures.nonempty import at_least_one

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]


def test_the_matrix_holds_the_correlation_of_every_two_metrics(study):
    content = report(study, "scores", Question())["content"]
    data = matrices.load(study)
    columns = metric_columns(data, Question())
    systems = [i for i, s in enumerate(data.systems) if not s.human]
    for first, one in at_least_one(enumerate(columns)):
        for second, other in enumerate(columns[:first]):
            if one.derived or other.derived:
                continue
            pair = []
            for column in (one, other):
                values = data.matrix(data.scores(column.run)[:, column.run.column])[:, systems]
                if column.run.speaks_of:
                    turn = np.array([t != column.run.speaks_of for t in data.target_styles])
                    values = np.where(turn[:, None], 2 * column.run.midpoint - values, values)
                if column.run.orientation == "target":
                    values = -np.abs(values - column.run.target)
                sign = -1 if column.run.orientation == "lower" else 1
                pair.append(sign * values.ravel())
            both = np.isfinite(pair[0]) & np.isfinite(pair[1])
            expected = pearsonr(pair[0][both], pair[1][both])[0]
            assert content["matrix"]["values"][first][second] == pytest.approx(expected, abs=1e-9)
