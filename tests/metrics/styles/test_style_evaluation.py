"""Held-out quality, against scikit-learn and SciPy."""

import numpy as np
import pytest
from scipy import stats
from sklearn.calibration import calibration_curve
from sklearn.metrics import accuracy_score, confusion_matrix
from statsmodels.stats.proportion import proportion_confint

from metrics.styles.evaluation import evaluate
from metrics.styles.labelled import LabelledTexts


def drawn_predictions(texts: int = 500, styles: int = 3) -> tuple[LabelledTexts, np.ndarray]:
    generator = np.random.default_rng(4)
    predicted = generator.dirichlet(np.ones(styles), texts)
    stated = [generator.choice(styles, p=row) for row in predicted]
    labels = [f"style {number}" for number in stated]
    return LabelledTexts.of([f"text {n}" for n in range(texts)], labels), predicted


def test_accuracy_and_confusion_are_those_of_scikit_learn() -> None:
    held_out, predicted = drawn_predictions()
    found = evaluate(held_out, predicted)
    said = predicted.argmax(axis=1)
    assert found.accuracy == accuracy_score(held_out.columns, said)
    assert np.array_equal(found.confusion, confusion_matrix(held_out.columns, said))
    assert found.majority == np.bincount(held_out.columns).max() / 500
    right = int((held_out.columns == said).sum())
    assert found.interval == pytest.approx(proportion_confint(right, 500, method="wilson"))


def test_calibration_is_that_of_scikit_learn_over_the_probability_of_the_likeliest() -> None:
    held_out, predicted = drawn_predictions()
    found = evaluate(held_out, predicted)
    correct = predicted.argmax(axis=1) == held_out.columns
    accuracy, confidence = calibration_curve(correct, predicted.max(axis=1), n_bins=10)
    filled = [each for each in found.bins if each.texts]
    assert [each.accuracy for each in filled] == pytest.approx(accuracy)
    assert [each.confidence for each in filled] == pytest.approx(confidence)
    assert sum(each.texts for each in found.bins) == 500
    shares = np.array([each.texts / 500 for each in filled])
    error = (shares * np.abs(accuracy - confidence)).sum()
    assert found.calibration_error == pytest.approx(error)
    assert found.calibration_error < 0.1  # The labels were drawn from the predictions.


def test_regression_figures_are_those_of_scipy() -> None:
    generator = np.random.default_rng(5)
    stated = generator.normal(size=200)
    predicted = 0.5 * stated + generator.normal(size=200)
    held_out = LabelledTexts.graded([f"text {n}" for n in range(200)], stated, "formal")
    found = evaluate(held_out, predicted[:, None])
    assert found.spearman == pytest.approx(stats.spearmanr(stated, predicted).statistic)
    assert found.pearson == pytest.approx(stats.pearsonr(stated, predicted).statistic)
    assert found.error == pytest.approx(np.sqrt(np.mean((stated - predicted) ** 2)))
    assert found.interval[0] < found.spearman < found.interval[1]
    errors = [abs(mistake.stated - mistake.predicted) for mistake in found.mistakes]
    assert errors[0] == np.abs(stated - predicted).max()
    assert errors == sorted(errors, reverse=True)


def test_the_interval_of_the_rank_correlation_holds_the_truth_as_often_as_it_says() -> None:
    generator = np.random.default_rng(6)
    pearson = 0.5
    truth = 6 / np.pi * np.arcsin(pearson / 2)  # Of a bivariate normal distribution.
    inside = 0
    for _ in range(400):
        pair = generator.multivariate_normal([0, 0], [[1, pearson], [pearson, 1]], 80)
        held_out = LabelledTexts.graded(["text"] * 80, pair[:, 0], "formal")
        low, high = evaluate(held_out, pair[:, 1:]).interval
        inside += low <= truth <= high
    assert 0.92 <= inside / 400 <= 0.98
