"""Splits and pairs: nothing held out is trained on."""

import numpy as np
import pytest

from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Resources, Texts
from metrics.styles.corpus_file import CorpusColumns, read_corpus
from metrics.styles.cross_fitting import CrossFitted
from metrics.styles.labelled import LabelledTexts, held_out_split
from metrics.styles.storage import StoredClassifier, save
from metrics.styles.training import (
    Recipe,
    StudyTexts,
    chosen_texts,
    train_on_corpus,
    train_on_study,
)
from tests.fixtures.study_files import write_files
from tests.fixtures.style_texts import reviews, silent


def test_held_out_texts_are_not_trained_on():
    recipe = Recipe("bag-of-words", {})
    texts, left_out = chosen_texts(reviews(120), recipe)
    trained = train_on_corpus(texts, left_out, recipe, silent)
    assert trained.trained_on + trained.quality.texts == 120
    # Other labels of the held-out texts alone give the same model, and another quality.
    _, held_out = held_out_split(texts, recipe.held_out, recipe.seed)
    is_held_out = [text in held_out.texts for text in texts.texts]
    swapped = LabelledTexts(
        texts.texts,
        np.where(is_held_out, 1 - texts.targets, texts.targets),
        texts.styles,
        # Strata are by label: keep the division as it was.
        tuple("test" if each else "train" for each in is_held_out),
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
    columns = CorpusColumns(
        "informal", target_column="formal", source_style="informal", target_style="formal"
    )
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
