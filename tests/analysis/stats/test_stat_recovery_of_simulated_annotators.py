"""Statistics give back what the simulator of annotators put in."""

import numpy as np
import pytest

from analysis.stats.agreement.intraclass import intraclass_correlation
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.stats.agreement.naturalness import share_preferred
from analysis.stats.agreement.rater_pairs import pearson_double_entry
from analysis.stats.arrays import slots_in_file_order, units_by_raters
from analysis.stats.correlation.bivariate import correlate
from analysis.stats.correlation.metric_correlation import system_level
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.systems.human_scores import mean_per_output, z_scores
from demo.simulator import Annotator, crossed_design, simulate_choices, simulate_scale
from tests.fixtures.expected_ratings import choice_probabilities, expected_icc, score_moments

ITEMS = 4000
SCALE = (0.0, 100.0)
ANNOTATORS = [
    Annotator(severity=12, noise=8),
    Annotator(severity=-9, noise=14),
    Annotator(severity=3, noise=10),
    Annotator(severity=0, noise=6),
]


@pytest.fixture(scope="module")
def quality() -> np.ndarray:
    return np.random.default_rng(11).normal(50, 15, size=(ITEMS, 1))


@pytest.fixture(scope="module")
def ratings(quality: np.ndarray) -> np.ndarray:
    design = crossed_design(ITEMS, len(ANNOTATORS))
    # A step of 0 neither rounds nor clips, so that the closed forms are exact.
    records = simulate_scale(quality, ANNOTATORS, design, SCALE, step=0, seed=5)
    return units_by_raters(records.item, records.annotator, records.value)


@pytest.mark.parametrize(
    ("form", "number", "mean_of"),
    [
        ("ICC(1,1)", 1, 1),
        ("ICC(2,1)", 2, 1),
        ("ICC(3,1)", 3, 1),
        ("ICC(1,k)", 1, 4),
        ("ICC(2,k)", 2, 4),
        ("ICC(3,k)", 3, 4),
    ],
)
def test_every_icc_is_the_ratio_of_the_variances_put_in(
    ratings: np.ndarray, quality: np.ndarray, form: str, number: int, mean_of: int
) -> None:
    moments = score_moments(ANNOTATORS, float(quality.mean()), float(quality.var()), SCALE)
    expected = expected_icc(moments, ITEMS, form=number, mean_of=mean_of)
    result = intraclass_correlation(ratings, form, columns="raters")
    assert result.value == pytest.approx(expected, abs=0.02)
    assert result.interval.low < expected < result.interval.high


def test_severity_lowers_alpha_and_double_entry_but_not_consistency(ratings: np.ndarray) -> None:
    level = ratings - ratings.mean(axis=0)
    for statistic in (
        lambda values: krippendorff_alpha(values, "interval", bootstrap=None).value,
        lambda values: pearson_double_entry(values, bootstrap=None).value,
    ):
        assert statistic(level) > statistic(ratings) + 0.1
    consistency = [
        intraclass_correlation(r, "ICC(3,1)", columns="raters") for r in (ratings, level)
    ]
    assert consistency[0].value == pytest.approx(consistency[1].value)


def test_z_scores_remove_severity_and_scale_use(quality: np.ndarray) -> None:
    people = [
        Annotator(severity=20, noise=2, scale_use=0.4),
        Annotator(severity=-15, noise=2, scale_use=0.9),
    ]
    design = crossed_design(ITEMS, 2)
    # Each item is seen by one person only, so that raw means mix severity with quality.
    design[::2, 0] = design[1::2, 1] = False
    records = simulate_scale(quality, people, design, SCALE, step=0, seed=8)
    raw, _ = mean_per_output(records.value, records.item, ITEMS)
    scaled = z_scores(records.value, records.annotator).values
    z, _ = mean_per_output(scaled, records.item, ITEMS)
    truth = quality[:, 0]
    spread = truth.std()
    theory = [use * spread / np.hypot(use * spread, 2) for use in (0.4, 0.9)]
    assert correlate(z, truth).value == pytest.approx(np.mean(theory), abs=0.01)
    assert correlate(raw, truth).value < 0.6


def test_careless_annotators_lower_agreement_as_theory_says(quality: np.ndarray) -> None:
    values = []
    for carelessness in (0.0, 0.3, 0.9):
        people = [Annotator(noise=5, carelessness=carelessness) for _ in range(3)]
        records = simulate_scale(quality, people, crossed_design(ITEMS, 3), SCALE, step=1, seed=3)
        slots = slots_in_file_order(records.item, records.value)
        result = intraclass_correlation(slots, "ICC(1,1)", columns="slots")
        moments = score_moments(people, float(quality.mean()), float(quality.var()), SCALE)
        # Rounding to the step and clipping at the ends move the value by less than this.
        assert result.value == pytest.approx(expected_icc(moments, ITEMS), abs=0.03)
        values.append(result.value)
    assert values[0] > values[1] > values[2]


def test_share_preferred_is_the_probability_of_preferring(quality: np.ndarray) -> None:
    person = Annotator(noise=10, position_bias=4)
    swapped = (np.arange(ITEMS) % 2 == 1)[:, None]
    first, second = np.full(ITEMS, 50.0), np.full(ITEMS, 56.0)
    records = simulate_choices(first, second, swapped, [person], seed=21)
    judged = {"first": -1.0, "tie": 0.0, "second": 1.0}
    matrix = np.array([[judged[choice]] for choice in records.choice])
    expected = np.mean([choice_probabilities(50, 56, side, person)[2] for side in (False, True)])
    result = share_preferred(matrix)
    assert result.value == pytest.approx(expected, abs=0.03)
    assert result.interval.low < expected < result.interval.high


def test_a_metric_with_more_noise_correlates_less_at_every_level() -> None:
    generator = np.random.default_rng(2)
    truth = generator.normal(0, 1, (300, 1)) + np.linspace(-1, 1, 8)
    results = []
    for noise in (0.3, 1.5, 6.0):
        metric = truth + generator.normal(0, noise, truth.shape)
        results.append(
            (
                tau_like(metric, truth, bootstrap=None).value,
                system_level(metric, truth).value,
            )
        )
    taus, systems = zip(*results, strict=True)
    assert taus[0] > taus[1] > taus[2] > 0
    assert systems[0] > systems[2]
