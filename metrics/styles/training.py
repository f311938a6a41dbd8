"""From labelled texts to a trained model and what is known of its quality."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from corpus.progress import ProgressCallback
from corpus.vocabulary.split_names import SPLITS, TEST, TRAIN, VALIDATION
from metrics.scorers.spec import Value
from metrics.styles.cross_fitting import CrossFitted, cross_fit, segment_folds, trained_on_split
from metrics.styles.evaluation import Classification, Regression, evaluate
from metrics.styles.kinds import kind_of
from metrics.styles.labelled import (
    LabelledTexts,
    LeftOut,
    TrainingError,
    check_trainable,
    deduplicated,
    drawn,
    held_out_split,
    text_key,
    without,
)
from metrics.styles.model import StyleModel
from metrics.weights.registered import MODELS


@dataclass(frozen=True)
class Recipe:
    """How a model is made from texts.

    Parameters
    ----------
    kind
        One of `metrics.styles.kinds.KINDS`.
    settings
        Of that kind; what is not given has its default.
    held_out
        Share of the texts on which the model is tried and not trained.
    texts
        How many texts are drawn; 0 for all, None for what is usual for the kind.
    folds
        Of cross-fitting, where the texts belong to segments.
    seed
        Decides what is held out and drawn, and the order of training.
    by_split
        Whether a study's own splits say what is trained on, instead of folds.
    """

    kind: str = "bag-of-words"
    settings: Mapping[str, object] = field(default_factory=dict)
    held_out: float = 0.1
    texts: int | None = None
    folds: int = 5
    seed: int = 0
    by_split: bool = False

    def read(self) -> dict[str, Value]:
        """Return every setting that decides the model, defaults filled in.

        Raises
        ------
        TrainingError, ParameterError
            If a setting makes no sense.
        """
        kind = kind_of(self.kind)
        if not 0 < self.held_out < 1:
            raise TrainingError(f"held out: found {self.held_out}, expected between 0 and 1")
        settings = kind.read_settings(self.settings)
        if not kind.learns and not settings["model"]:
            raise TrainingError(
                f"choose a classifier; the administrator lists sequence classifiers in "
                f"{MODELS.variable}"
            )
        return settings

    def train(self, texts: LabelledTexts, report: ProgressCallback) -> StyleModel:
        """Train a model on all of some texts."""
        return kind_of(self.kind).train(texts, self.read(), self.seed, report)

    @property
    def texts_drawn(self) -> int:
        """How many texts are drawn; 0 for all."""
        return kind_of(self.kind).most if self.texts is None else self.texts


@dataclass(frozen=True)
class Trained:
    """A model, the quality it has on texts that it has not seen, and what it was made of."""

    model: StyleModel | CrossFitted
    quality: Classification | Regression
    trained_on: int
    left_out: LeftOut

    def report(self) -> dict[str, Any]:
        """Return what is known of the model as JSON can hold it."""
        return {
            **asdict(self.quality),
            "trained_on": self.trained_on,
            "left_out": asdict(self.left_out),
        }


def chosen_texts(
    labelled: LabelledTexts, recipe: Recipe, of_the_study: Iterable[str] = (), unlabelled: int = 0
) -> tuple[LabelledTexts, LeftOut]:
    """Return the texts of a corpus that a model may use, each once, and what was left out.

    Parameters
    ----------
    labelled
        The corpus.
    recipe
        Says how many texts are drawn.
    of_the_study
        Texts that will be scored, which no model may know.
    unlabelled
        How many rows of the corpus had no label.

    Raises
    ------
    TrainingError
        If too few are left.
    """
    once, left_out = deduplicated(labelled)
    foreign, common = without(once, of_the_study)
    check_trainable(foreign)
    texts = drawn(foreign, recipe.texts_drawn, recipe.seed)
    check_trainable(texts)
    return texts, replace(
        left_out, unlabelled=unlabelled, of_the_study=common, not_drawn=len(foreign) - len(texts)
    )


def train_on_corpus(
    texts: LabelledTexts, left_out: LeftOut, recipe: Recipe, report: ProgressCallback
) -> Trained:
    """Train on what `chosen_texts` gave, but for a share that shows how good the model is.

    The model is not trained again with that share, so that its quality is its own.
    """
    if not kind_of(recipe.kind).learns:
        return _tried_as_it_is(texts, left_out, recipe, report)
    shown, held_out, left_out = _divided(texts, left_out, recipe)
    model = recipe.train(shown, report)
    report("trying the model on held-out texts", 0, 0)
    quality = evaluate(held_out, model.predict(held_out.texts))
    return Trained(model, quality, len(shown), left_out)


def _tried_as_it_is(
    texts: LabelledTexts, left_out: LeftOut, recipe: Recipe, report: ProgressCallback
) -> Trained:
    """Take a model that learns nothing: all texts show how good it is."""
    model = recipe.train(texts, report)
    report("trying the model", 0, len(texts))
    quality = evaluate(texts.among(model.styles), model.predict(texts.texts))
    return Trained(model, quality, 0, left_out)


def _divided(
    texts: LabelledTexts, left_out: LeftOut, recipe: Recipe
) -> tuple[LabelledTexts, LabelledTexts, LeftOut]:
    """Return texts to train on and to try the model on, and what was left out.

    Given splits are kept to. Where the test split lacks, the validation split shows how good the
    model is; where both lack, a share of the training split.
    """
    if not texts.splits:
        return *held_out_split(texts, recipe.held_out, recipe.seed), left_out
    shown, valid, test = (texts.of_split(split) for split in SPLITS)
    if not len(test):
        valid, test = test, valid
    if not len(test):
        shown, test = held_out_split(shown, recipe.held_out, recipe.seed)
    _check_split(shown, TRAIN)
    return shown, test, replace(left_out, not_needed=len(valid)) if len(valid) else left_out


def _check_split(texts: LabelledTexts, split: str) -> None:
    counts = np.bincount(texts.columns, minlength=len(texts.styles))
    if not texts.is_graded and not counts.all():
        style = texts.styles[int(np.argmin(counts))]
        raise TrainingError(f"the {split} split has no text of style {style!r}")
    if not len(texts):
        raise TrainingError(f"there is no text in the {split} split")


@dataclass(frozen=True)
class StudyTexts:
    """Texts of a study, of which some say their own style.

    Attributes
    ----------
    segments, texts
        Every text with the number of its segment.
    styles
        The style of each, where the study says so: of sources the source style, of references
        the target style, of outputs an empty name.
    splits
        The split of each text's segment, one of `SPLITS`, or an empty name; none where no segment
        is in a split.
    """

    segments: Sequence[int]
    texts: Sequence[str]
    styles: Sequence[str]
    splits: Sequence[str] = ()

    @property
    def sha256(self) -> str:
        """Hash of segments, texts and styles in their order."""
        digest = hashlib.sha256()
        for row in zip(self.segments, self.texts, self.styles, strict=True):
            digest.update(json.dumps(row).encode())
        return digest.hexdigest()

    @property
    def sha256_with_splits(self) -> str:
        """Hash of all four in their order."""
        content = [self.sha256, list(self.splits)]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def labelled(self) -> tuple[LabelledTexts, list[int], int]:
        """Return the texts that say their style, the segment of each, and how many are empty."""
        labelled_rows = [row for row, style in enumerate(self.styles) if style]
        rows = [row for row in labelled_rows if self.texts[row].strip()]
        labelled = LabelledTexts.of(
            [self.texts[row] for row in rows], [self.styles[row] for row in rows]
        )
        return labelled, [self.segments[row] for row in rows], len(labelled_rows) - len(rows)


def train_on_study(study: StudyTexts, recipe: Recipe, report: ProgressCallback) -> Trained:
    """Train one model a fold on a study's own labels, so that no text meets one that saw it.

    Raises
    ------
    TrainingError
        If the study says too little, or its segments cannot be divided.
    """
    labelled, segments, empty = study.labelled()
    left_out = LeftOut(empty=empty)
    check_trainable(labelled)
    if not kind_of(recipe.kind).learns:
        once, more = deduplicated(labelled)
        return _tried_as_it_is(once, replace(more, empty=empty), recipe, report)
    if recipe.by_split:
        return _train_by_split(study, recipe, report)
    is_trained_on = [bool(style) for style in study.styles]
    fold_of = segment_folds(
        study.segments, study.texts, is_trained_on, folds=recipe.folds, seed=recipe.seed
    )
    _check_folds(labelled, [fold_of[segment] for segment in segments])

    def train(some: LabelledTexts, report: ProgressCallback) -> StyleModel:
        return recipe.train(deduplicated(some)[0], report)

    model, predicted = cross_fit(labelled, segments, fold_of, train, report)
    return Trained(model, evaluate(labelled, predicted), len(labelled), left_out)


def _train_by_split(study: StudyTexts, recipe: Recipe, report: ProgressCallback) -> Trained:
    """Train one model on the segments of the training split.

    Texts that stand in the test split too, be it as an output, are not trained on, nor those of
    the validation split.
    """
    if not any(study.splits):
        raise TrainingError(
            "no segment says its split: give segments an attribute split with train, valid and "
            "test, or train with folds"
        )
    split_of = dict(zip(study.segments, study.splits, strict=True))
    labelled, segments, empty = study.labelled()
    inside = [row for row, segment in enumerate(segments) if split_of[segment]]
    some = replace(labelled.take(inside), splits=tuple(split_of[segments[row]] for row in inside))
    once, left_out = deduplicated(some)
    kept = {
        split: {
            text_key(text)
            for text, each in zip(study.texts, study.splits, strict=True)
            if each == split
        }
        for split in (VALIDATION, TEST)
    }
    of_others = {TRAIN: kept[VALIDATION] | kept[TEST], VALIDATION: kept[TEST], TEST: set[str]()}
    rows = [
        row
        for row, text in enumerate(once.texts)
        if text_key(text) not in of_others[once.splits[row]]
    ]
    left_out = replace(
        left_out,
        empty=empty,
        of_other_splits=left_out.of_other_splits + len(once) - len(rows),
        in_no_split=len(labelled) - len(inside),
    )
    chosen = once.take(rows)
    check_trainable(chosen)
    trained = train_on_corpus(chosen, left_out, recipe, report)
    seen = {segment for segment, split in split_of.items() if split == TRAIN}
    if not isinstance(trained.model, StyleModel):
        raise TypeError("a model of a split is one model")
    return replace(trained, model=trained_on_split(trained.model, seen))


def _check_folds(labelled: LabelledTexts, folds: Collection[int]) -> None:
    """Raise `TrainingError` if some fold's model would not see every style."""
    for fold in set(folds):
        rows = [row for row, each in enumerate(folds) if each != fold]
        if len(set(labelled.targets[rows].tolist())) < len(labelled.styles):
            raise TrainingError(
                "a style occurs in the texts of one fold only; choose fewer folds, or train on "
                "a corpus"
            )
