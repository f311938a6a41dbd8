"""Cross-fitting, and how good a model is: equal to scikit-learn and SciPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.calibration import calibration_curve
from sklearn.metrics import accuracy_score, confusion_matrix
from statsmodels.stats.proportion import proportion_confint

from metrics.styles.cross_fitting import cross_fit, segment_folds
from metrics.styles.evaluation import evaluate
from metrics.styles.labelled import LabelledTexts, TrainingError, text_key
from tests.fixtures.style_texts import silent


class Witness:
    """A classifier that knows which texts it has seen."""

    styles = ("a", "b")

    def __init__(self, seen):
        self.seen = {text_key(text) for text in seen}
        self.sha256 = str(sorted(self.seen))

    def predict(self, texts, segments):
        known = np.array([text_key(text) in self.seen for text in texts], dtype=float)
        return np.column_stack([known, 1 - known])


def witnesses(rows, folds, seed):
    segments, texts, trained_on = zip(*rows, strict=True)
    fold_of = segment_folds(segments, texts, trained_on, folds=folds, seed=seed)
    used = [row for row in rows if row[2]]
    labelled = LabelledTexts(tuple(text for _, text, _ in used), np.zeros(len(used)), ("a", "b"))
    model, predicted = cross_fit(
        labelled, [row[0] for row in used], fold_of, lambda some, _: Witness(some.texts), silent
    )
    return model, predicted, fold_of


ROWS = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from([f"text {n}" for n in range(60)]), st.booleans()),
    min_size=30,
    max_size=150,
)


@given(ROWS, st.integers(2, 4), st.integers(0, 3))
@settings(max_examples=80, deadline=None)
def test_no_text_is_scored_by_a_model_that_saw_it(rows, folds, seed):
    if not any(row[2] for row in rows):
        return
    try:
        model, predicted, _ = witnesses(rows, folds, seed)
    except TrainingError:
        return  # Everything hangs together: refused, which another test looks at.
    segments, texts, _ = zip(*rows, strict=True)
    assert not model.predict(texts, segments)[:, 0].any()
    assert not predicted[:, 0].any()


def test_a_source_its_references_and_all_outputs_are_in_one_fold():
    rows = [
        (segment, f"{kind} {segment}", kind != "output")
        for segment in range(50)
        for kind in ("source", "reference", "output")
    ]
    model, _, fold_of = witnesses(rows, 5, 0)
    assert sorted(np.bincount(list(fold_of.values()))) == [10] * 5
    assert len(model.models) == 5
    assert model.models[0].seen.isdisjoint(
        text_key(f"source {segment}") for segment, fold in fold_of.items() if fold == 0
    )


def test_segments_that_share_a_text_to_train_on_are_held_together():
    rows = [(segment, f"text {segment}", True) for segment in range(20)]
    rows += [(3, "Same text.", True), (11, "same text .", False), (17, "only", False)]
    rows += [(18, "only", False)]
    segments, texts, trained_on = zip(*rows, strict=True)
    for seed in range(10):
        fold_of = segment_folds(segments, texts, trained_on, folds=5, seed=seed)
        assert fold_of[3] == fold_of[11]
    apart = [segment_folds(segments, texts, trained_on, folds=5, seed=seed) for seed in range(10)]
    assert any(fold_of[17] != fold_of[18] for fold_of in apart)  # No model ever trains on "only".


def drawn_predictions(texts=500, styles=3):
    generator = np.random.default_rng(4)
    predicted = generator.dirichlet(np.ones(styles), texts)
    stated = [generator.choice(styles, p=row) for row in predicted]
    labels = [f"style {number}" for number in stated]
    return LabelledTexts.of([f"text {n}" for n in range(texts)], labels), predicted


def test_accuracy_and_confusion_are_those_of_scikit_learn():
    held_out, predicted = drawn_predictions()
    found = evaluate(held_out, predicted)
    said = predicted.argmax(axis=1)
    assert found.accuracy == accuracy_score(held_out.columns, said)
    assert np.array_equal(found.confusion, confusion_matrix(held_out.columns, said))
    assert found.majority == np.bincount(held_out.columns).max() / 500
    right = int((held_out.columns == said).sum())
    assert found.interval == pytest.approx(proportion_confint(right, 500, method="wilson"))


def test_calibration_is_that_of_scikit_learn_over_the_probability_of_the_likeliest():
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


def test_regression_figures_are_those_of_scipy():
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


def test_the_interval_of_the_rank_correlation_holds_the_truth_as_often_as_it_says():
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
