"""Searches, splits and pairs: nothing held out is trained on."""

import itertools

import numpy as np
import pytest

from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Resources, Texts
from metrics.styles.corpus_file import CorpusColumns, read_corpus
from metrics.styles.cross_fitting import CrossFitted
from metrics.styles.kinds import kind_of
from metrics.styles.labelled import LabelledTexts, held_out_split
from metrics.styles.search import combinations, search
from metrics.styles.storage import StoredClassifier, save
from metrics.styles.training import (
    Recipe,
    StudyTexts,
    chosen_texts,
    train_on_corpus,
    train_on_study,
)
from tests.fixtures.study_files import write_files
from tests.fixtures.style_texts import graded_reviews, reviews, silent

WORDS = kind_of("bag-of-words")


def test_a_grid_has_every_combination_and_a_sample_is_drawn_from_it_by_seed():
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


@pytest.mark.parametrize("graded", [False, True])
def test_the_best_on_the_validation_texts_is_chosen(graded):
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


def test_held_out_texts_neither_train_nor_choose():
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


NAMES = ("train", "Training", "dev", "validation", "test", "extra")


def study_texts(count=80):
    """Sources of both styles; every second segment is for training, some test texts are copies."""
    found = reviews(count)
    splits = ["train", "train", "test", "validation"] * (count // 4)
    texts = list(found.texts)
    texts[2] = texts[0].upper()
    return StudyTexts(
        [*range(count), *range(count)],
        [*texts, *(f"output {n}" if n != 6 else texts[4] for n in range(count))],
        [*(found.label(row) for row in range(count)), *[""] * count],
        splits * 2,
    )


def test_nothing_of_the_test_split_is_trained_on_and_what_is_left_out_is_counted():
    study = study_texts()
    recipe = Recipe("bag-of-words", {"fewest": 1}, by_split=True)
    trained = train_on_study(study, recipe, silent)
    report = trained.report()
    # Text 0 is the source of test segment 2 too, text 4 an output of test segment 6.
    assert report["left_out"]["of_other_splits"] == 2
    assert report["trained_on"] == 38
    assert report["texts"] == 20
    assert report["left_out"]["not_needed"] == 20
    of_train = {row for row, split in enumerate(study.splits[:80]) if split == "train"}
    known = {word for word in trained.model.models[0].vocabulary if word.isdigit()}
    assert known == {str(row) for row in of_train - {0, 4}}


def test_a_search_chooses_on_the_valid_split_and_has_seen_it():
    study = study_texts()
    recipe = Recipe("bag-of-words", {}, by_split=True, search={"strength": [0.01, 3.0]})
    trained = train_on_study(study, recipe, silent)
    assert [each.texts for each in trained.tried] == [20, 20]
    assert trained.trained_on == 38
    assert set(trained.model.fold_of) == {row for row in range(80) if row % 4 != 2}


def test_segments_that_were_trained_on_have_no_score_and_the_reason(tmp_path):
    study = study_texts()
    trained = train_on_study(study, Recipe("bag-of-words", {}, by_split=True), silent)
    assert isinstance(trained.model, CrossFitted)
    sha256 = save(trained.model, tmp_path / "model")
    stored = StoredClassifier(tmp_path / "model")
    assert stored.sha256 == sha256 != trained.model.models[0].sha256
    predicted = stored.predict(study.texts[:80], study.segments[:80])
    assert np.flatnonzero(~np.isnan(predicted[:, 0])).tolist() == [
        row for row in range(80) if row % 4 > 1
    ]
    for key in ("sti", "style-accuracy", "style-distribution"):
        scores = scorer_class(key)(resources=Resources(classifier=stored)).score(
            Texts.of(
                ["the food was great"] * 4,
                ["the food was awful"] * 4,
                target_styles=["positive"] * 4,
                segments=range(4),
            )
        )
        assert set(scores.undefined) == {0, 1}
        assert scores.undefined[0] == "the classifier was trained on this segment"
        assert np.isnan(scores.values[:2]).all()
        assert np.isfinite(scores.values[2:]).all()


def pairs_file(tmp_path, rows):
    return write_files(tmp_path / "pairs", {"pairs.csv": rows}) / "pairs.csv"


def test_a_file_of_pairs_gives_each_text_with_its_style_and_keeps_pairs_together(tmp_path):
    rows = [["informal", "formal", "part"]]
    rows += [[f"gonna go {n}", f"I shall go {n}", NAMES[n % 5]] for n in range(40)]
    rows += [["gonna stay", "", "train"], ["gonna see", "I shall see", "extra"]]
    columns = CorpusColumns("informal", target="formal", styles=("informal", "formal"))
    found, unlabelled = read_corpus(pairs_file(tmp_path, rows), columns)
    assert (len(found), unlabelled) == (82, 1)
    assert found.styles == ("formal", "informal")
    assert [found.label(row) for row in range(4)] == ["informal", "formal"] * 2
    assert found.texts[:2] == ("gonna go 0", "I shall go 0")
    shown, held_out = held_out_split(found, 0.2, 3)
    assert len(held_out) == 16
    assert not set(shown.pairs) & set(held_out.pairs)
    recipe = Recipe("bag-of-words", {})
    trained = train_on_corpus(*chosen_texts(found, recipe), recipe, silent)
    assert trained.quality.accuracy == 1
