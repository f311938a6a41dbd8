"""From labelled texts to a trained model and what is known of its quality."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from corpus.progress import ProgressCallback
from metrics.scorers.spec import Value
from metrics.styles.cross_fitting import CrossFitted, cross_fit, segment_folds
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
    without,
)
from metrics.styles.model import StyleModel


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
    most
        How many texts are drawn; 0 for all, None for what is usual for the kind.
    folds
        Of cross-fitting, where the texts belong to segments.
    seed
        Decides what is held out and drawn, and the order of training.
    """

    kind: str
    settings: Mapping[str, object]
    held_out: float = 0.1
    most: int | None = None
    folds: int = 5
    seed: int = 0

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
        return kind.read_settings(self.settings)

    @property
    def texts_drawn(self) -> int:
        """How many texts are drawn; 0 for all."""
        return kind_of(self.kind).most if self.most is None else self.most


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
            **self.quality.to_dict(),
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
        How many rows of the corpus had no label; told on.

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
    settings = recipe.read()
    shown, held_out = held_out_split(texts, recipe.held_out, recipe.seed)
    model = kind_of(recipe.kind).train(shown, settings, recipe.seed, report)
    report("trying the model on held-out texts", 0, 0)
    quality = evaluate(held_out, model.predict(held_out.texts))
    return Trained(model, quality, len(shown), left_out)


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
    """

    segments: Sequence[int]
    texts: Sequence[str]
    styles: Sequence[str]

    @property
    def sha256(self) -> str:
        """Hash of all three in their order."""
        digest = hashlib.sha256()
        for row in zip(self.segments, self.texts, self.styles, strict=True):
            digest.update(json.dumps(row).encode())
        return digest.hexdigest()


def train_on_study(study: StudyTexts, recipe: Recipe, report: ProgressCallback) -> Trained:
    """Train one model a fold on a study's own labels, so that no text meets one that saw it.

    Raises
    ------
    TrainingError
        If the study says too little, or its segments cannot be divided.
    """
    settings = recipe.read()
    said = [row for row, style in enumerate(study.styles) if style and study.texts[row].strip()]
    segments = [study.segments[row] for row in said]
    labelled = LabelledTexts.of(
        [study.texts[row] for row in said], [study.styles[row] for row in said]
    )
    check_trainable(labelled)
    is_trained_on = [bool(style) for style in study.styles]
    fold_of = segment_folds(
        study.segments, study.texts, is_trained_on, folds=recipe.folds, seed=recipe.seed
    )
    _check_folds(labelled, [fold_of[segment] for segment in segments])
    kind = kind_of(recipe.kind)

    def train(some: LabelledTexts, tell: ProgressCallback) -> StyleModel:
        return kind.train(deduplicated(some)[0], settings, recipe.seed, tell)

    model, predicted = cross_fit(labelled, segments, fold_of, train, report)
    empty = sum(bool(style) for style in study.styles) - len(said)
    return Trained(model, evaluate(labelled, predicted), len(labelled), LeftOut(empty=empty))


def _check_folds(labelled: LabelledTexts, folds: Collection[int]) -> None:
    """Raise `TrainingError` if some fold's model would not see every style."""
    for fold in set(folds):
        rows = [row for row, each in enumerate(folds) if each != fold]
        if len(set(labelled.targets[rows].tolist())) < len(labelled.styles):
            raise TrainingError(
                "a style occurs in the texts of one fold only; choose fewer folds, or train on "
                "a corpus"
            )
