"""Values that textbooks and the first papers print."""

import numpy as np
import pytest

from analysis.stats.agreement.intraclass import FORMS, intraclass_correlation
from analysis.stats.agreement.kappas import fleiss_kappa, gwet_ac
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.correlation.pearson import correlate
from tests.fixtures.estimates import estimate

NAN = float("nan")
# Fleiss (1971), table 1: 30 patients, 6 psychiatrists, 5 diagnoses.
DIAGNOSES = [
    (0, 0, 0, 6, 0), (0, 3, 0, 0, 3), (0, 1, 4, 0, 1), (0, 0, 0, 0, 6), (0, 3, 0, 3, 0),
    (2, 0, 4, 0, 0), (0, 0, 4, 0, 2), (2, 0, 3, 1, 0), (2, 0, 0, 4, 0), (0, 0, 0, 0, 6),
    (1, 0, 0, 5, 0), (1, 1, 0, 4, 0), (0, 3, 3, 0, 0), (1, 0, 0, 5, 0), (0, 2, 0, 3, 1),
    (0, 0, 5, 0, 1), (3, 0, 0, 1, 2), (5, 1, 0, 0, 0), (0, 2, 0, 4, 0), (1, 0, 2, 0, 3),
    (0, 0, 0, 0, 6), (0, 1, 0, 5, 0), (0, 2, 0, 1, 3), (2, 0, 0, 4, 0), (1, 0, 0, 4, 1),
    (0, 5, 0, 1, 0), (4, 0, 0, 0, 2), (0, 2, 0, 4, 0), (1, 0, 5, 0, 0), (0, 0, 0, 0, 6),
]  # fmt: skip
# Krippendorff (2011), four observers, twelve units.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T
# Shrout and Fleiss (1979), table 2: six targets, four judges.
JUDGES = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def diagnoses() -> np.ndarray:
    return np.array([np.repeat(range(5), row) for row in DIAGNOSES], dtype=float)


def test_fleiss_kappa_of_the_1971_diagnoses_and_its_null_test() -> None:
    result = estimate(fleiss_kappa(diagnoses()))
    assert result.value == pytest.approx(0.430245, abs=5e-7)
    assert result.details["z"] == pytest.approx(17.65183, abs=5e-6)
    assert (result.n, result.raters, result.pairs) == (30, 6, 450)


@pytest.mark.parametrize(
    ("scale", "printed"),
    [("nominal", 0.7434), ("ordinal", 0.8154), ("interval", 0.8491), ("ratio", 0.7974)],
)
def test_krippendorff_alpha_of_the_2011_example(scale, printed) -> None:
    result = estimate(krippendorff_alpha(OBSERVERS, scale))
    assert result.value == pytest.approx(printed, abs=5e-5)
    assert (result.n, result.raters, result.details["units_rated_once"]) == (11, 4, 1)


@pytest.mark.parametrize(
    ("form", "printed"),
    list(zip(FORMS, [0.1657, 0.2898, 0.7148, 0.4428, 0.6201, 0.9093], strict=True)),
)
def test_intraclass_correlations_of_shrout_and_fleiss(form, printed) -> None:
    result = estimate(intraclass_correlation(JUDGES, form, columns="raters"))
    assert result.value == pytest.approx(printed, abs=5e-5)


def test_gwet_ac1_and_its_interval_for_krippendorffs_data_with_missing_ratings() -> None:
    # Gwet (2014) and his irrCAC package: 0.77544, standard error 0.14295, from 0.461.
    result = estimate(gwet_ac(OBSERVERS))
    assert result.value == pytest.approx(0.77544, abs=5e-6)
    assert result.details["standard_error"] == pytest.approx(0.14295, abs=5e-6)
    assert result.interval.low == pytest.approx(0.461, abs=5e-4)


def test_fleiss_kappa_with_unequal_numbers_of_ratings_follows_gwet() -> None:
    # irrCAC: 0.76117, standard error 0.15302, from 0.424.
    result = estimate(fleiss_kappa(OBSERVERS))
    assert result.value == pytest.approx(0.76117, abs=5e-6)
    assert result.details["standard_error"] == pytest.approx(0.15302, abs=5e-6)
    assert result.interval.low == pytest.approx(0.424, abs=5e-4)


def test_fisher_interval_of_a_textbook_r() -> None:
    # r = .6 on 28 units: z = .6931 ± 1.96/5, back to .2924 … .7951.
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 28))
    x -= x.mean()
    noise -= noise.mean() + (noise @ x) / (x @ x) * x
    y = 0.6 * x / np.linalg.norm(x) + 0.8 * noise / np.linalg.norm(noise)
    result = estimate(correlate(x, y))
    assert result.value == pytest.approx(0.6)
    assert result.interval.low == pytest.approx(0.2924, abs=5e-5)
    assert result.interval.high == pytest.approx(0.7951, abs=5e-5)
