"""A search tries settings, chooses on validation texts alone, and keeps what was tried."""

import itertools

import numpy as np
import pytest

from metrics.scorers.spec import ParameterError
from metrics.styles.cross_fitting import CrossFitted
from metrics.styles.kinds import kind_of
from metrics.styles.labelled import LabelledTexts, TrainingError, held_out_split
from metrics.styles.search import combinations, read_lines, read_search, search
from metrics.styles.storage import StoredClassifier, save
from metrics.styles.training import (
    Recipe,
    StudyTexts,
    chosen_texts,
    train_on_corpus,
    train_on_study,
)
from tests.fixtures.style_texts import graded_reviews, reviews, silent

WORDS = kind_of("bag-of-words")


def test_a_grid_has_every_combination_and_a_sample_is_drawn_from_it_by_seed() -> None:
    values = {"longest": [1, 2, 3], "strength": [0.1, 1.0]}
    grid = combinations({"fewest": 2, "longest": 2}, values, 0, 0)
    assert [(each["longest"], each["strength"]) for each in grid] == list(
        itertools.product([1, 2, 3], [0.1, 1.0])
    )
    assert all(each["fewest"] == 2 for each in grid)
    sample = combinations({"fewest": 2}, values, 3, 7)
    assert sample == combinations({"fewest": 2}, values, 3, 7)
    assert len(sample) == 3
    assert all(
        {"fewest": 2, **each} in combinations({"fewest": 2}, values, 0, 0) for each in sample
    )
    assert len({str(combinations({}, values, 3, seed)) for seed in range(20)}) > 3


def test_values_are_read_as_settings_are() -> None:
    given = read_lines("strength = 0.1, 1\n\n longest=2 , 2,1")
    assert read_search(WORDS, given) == {"strength": [0.1, 1.0], "longest": [2, 1]}
    with pytest.raises(ParameterError, match="longest: found '9'"):
        read_search(WORDS, {"longest": ["9"]})
    with pytest.raises(TrainingError, match="no setting 'rate'; it takes longest"):
        read_search(WORDS, {"rate": ["1"]})
    for wrong in ("longest", "longest = 1\nlongest = 2", "= 1"):
        with pytest.raises(TrainingError, match="expected one line NAME = VALUE"):
            read_lines(wrong)
    with pytest.raises(TrainingError, match="give at least one value of longest"):
        Recipe("bag-of-words", {}, search=read_lines("longest = ,")).read()
    many = {"strength": [1 + number / 100 for number in range(101)]}
    with pytest.raises(TrainingError, match="101 combinations of settings"):
        Recipe("bag-of-words", {}, search=many).read()
    assert Recipe("bag-of-words", {}, search=many, trials=5).read()["longest"] == 2


@pytest.mark.parametrize("graded", [False, True])
def test_the_best_on_the_validation_texts_is_chosen(graded: bool) -> None:
    labelled = graded_reviews(80) if graded else reviews(80)
    train, valid = held_out_split(labelled, 0.3, 1)
    tried = combinations(WORDS.read_settings({}), {"strength": [1e-4, 0.01, 3.0]}, 0, 0)
    model, rows = search(WORDS, train, valid, tried, ["strength"], 0, silent)
    for settings, row in zip(tried, rows, strict=True):
        predicted = WORDS.train(train, settings, 0, silent).predict(valid.texts)
        if graded:
            loss = np.sqrt(((predicted[:, 0] - valid.targets) ** 2).mean())
        else:
            loss = -np.log(
                [p[int(t)] for p, t in zip(predicted, valid.targets, strict=True)]
            ).mean()
            assert row.score == np.mean(predicted.argmax(axis=1) == valid.targets)
        assert row.loss == pytest.approx(loss)
        assert row.texts == len(valid)
    best = min(range(3), key=lambda row: (-(rows[row].score or 0), rows[row].loss))
    assert [row.is_chosen for row in rows] == [row == best for row in range(3)]
    assert model.settings["strength"] == tried[best]["strength"]
    assert model.settings["strength"] != 1e-4


def test_held_out_texts_neither_train_nor_choose() -> None:
    labelled = reviews(120)
    recipe = Recipe("bag-of-words", {}, search={"strength": [0.01, 3.0], "longest": [1, 2]})
    texts, left_out = chosen_texts(labelled, recipe)
    trained = train_on_corpus(texts, left_out, recipe, silent)
    report = trained.report()
    assert report["trained_on"] + report["texts"] + report["tried"][0]["texts"] == 120
    assert len(report["tried"]) == 4
    assert sum(each["is_chosen"] for each in report["tried"]) == 1
    # Other labels of the held-out texts alone give the same model, and another quality.
    _, held_out = held_out_split(texts, recipe.held_out, recipe.seed)
    targets = texts.targets.copy()
    for row, text in enumerate(texts.texts):
        if text in held_out.texts:
            targets[row] = 1 - targets[row]
    # Strata are by label: keep the division as it was.
    swapped = LabelledTexts(
        texts.texts,
        targets,
        texts.styles,
        tuple("test" if text in held_out.texts else "train" for text in texts.texts),
    )
    again = train_on_corpus(swapped, left_out, recipe, silent)
    assert again.model.sha256 == trained.model.sha256
    assert again.quality.accuracy == pytest.approx(1 - trained.quality.accuracy)


def test_each_fold_chooses_by_itself_and_its_model_comes_back(tmp_path) -> None:
    found = reviews(60)
    study = StudyTexts(
        [row // 2 for row in range(60)], found.texts, [found.label(row) for row in range(60)]
    )
    recipe = Recipe("ngram-vectors", {"epochs": 2, "rate": 0.1}, folds=3, search={"size": [2, 4]})
    result = train_on_study(study, recipe, silent)
    assert isinstance(result.model, CrossFitted)
    tried = result.report()["tried"]
    assert [each["fold"] for each in tried] == [1, 1, 2, 2, 3, 3]
    chosen = [each["settings"]["size"] for each in tried if each["is_chosen"]]
    assert [model.settings["size"] for model in result.model.models] == chosen
    # Whatever was chosen, models of different settings come back.
    other = kind_of("ngram-vectors")
    models = [
        other.train(found, other.read_settings({"size": size, "epochs": 1}), 0, silent)
        for size in (2, 4, 3)
    ]
    mixed = CrossFitted(models, {segment: segment % 3 for segment in range(30)})
    save(mixed, tmp_path / "model")
    stored = StoredClassifier(tmp_path / "model")
    assert [model.settings["size"] for model in stored.models] == [2, 4, 3]
    np.testing.assert_array_equal(
        stored.predict(found.texts, study.segments), mixed.predict(found.texts, study.segments)
    )
