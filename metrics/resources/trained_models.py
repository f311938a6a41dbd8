"""Trained models: style models of a study, and language models by style for every study."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db.models import Q, QuerySet

from corpus.models import Study
from corpus.progress import ProgressCallback
from metrics.language_models.by_style import KINDS, LstmByStyle, ModelsByStyle, NgramsByStyle
from metrics.models import TrainedModel
from metrics.resources.loaders import ResourceError, TrainedThing
from metrics.scorers.spec import Value
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.storage import StoredClassifier
from metrics.weights.files import written_once

KEPT = 4
"""Loaded models that a process keeps."""


def models_of(study: Study) -> QuerySet[TrainedModel]:
    """Style models that a study may use: its own, and those shared by all."""
    return TrainedModel.objects.style_models().filter(Q(study=study) | Q(study=None))


def folder_of(model: TrainedModel) -> Path:
    """Return where a model's files are."""
    return Path(settings.MEDIA_ROOT) / model.path


def stored_classifier(model: TrainedModel) -> StoredClassifier:
    """Return a model's classifier, the same one each time, so that predictions are remembered.

    Raises
    ------
    Unavailable
        If its files are gone.
    """
    return _stored(folder_of(model), model.sha256)


@lru_cache(maxsize=KEPT)
def _stored(folder: Path, sha256: str) -> StoredClassifier:
    return StoredClassifier(folder)


def classifier(study: Study, name: str) -> TrainedThing:
    """Find a classifier for metric runs; see `metrics.resources.loaders.Loader`."""
    return _thing(study, name, graded=False)


def regressor(study: Study, name: str) -> TrainedThing:
    """Find a regressor for metric runs; see `metrics.resources.loaders.Loader`."""
    return _thing(study, name, graded=True)


def _thing(study: Study, name: str, *, graded: bool) -> TrainedThing:
    model = _style_model_named(study, name, graded=graded)
    return TrainedThing(model.name, model.sha256, stored_classifier(model))


def _style_model_named(study: Study, name: str, *, graded: bool) -> TrainedModel:
    what = "regressor" if graded else "classifier"
    fitting = [model for model in models_of(study) if model.is_graded == graded]
    if not fitting:
        raise ResourceError(
            f"there is no style {what}: train one on the page Styles and lexicons, or with "
            "manage.py train_style"
        )
    if not name:
        # Its own go before shared ones.
        own = [model for model in fitting if model.study_id is not None] or fitting
        if len(own) == 1:
            return own[0]
        names = ", ".join(model.name for model in own)
        raise ResourceError(f"there are several style {what}s; choose one of {names}")
    by_name = [model for model in fitting if model.name == name]
    by_hash = [model for model in fitting if len(name) >= 8 and model.sha256.startswith(name)]
    found = sorted(by_name or by_hash, key=lambda model: model.study_id is None)
    if not found:
        names = ", ".join(model.name for model in fitting)
        raise ResourceError(f"there is no style {what} {name!r}; there are {names}")
    return found[0]


FOLDER = "language-models"
_NAME = re.compile(r"\w[\w.-]{0,99}")


def stored_models(kind: type[ModelsByStyle] = NgramsByStyle) -> dict[str, Path]:
    """Return the names of trained models of a kind, each with its folder."""
    folder = Path(settings.MEDIA_ROOT) / FOLDER
    found = sorted(path.parent for path in folder.glob(f"*/{kind.manifest()}"))
    return {path.name: path for path in found if not path.name.startswith(".")}


def train(
    name: str,
    texts: LabelledTexts,
    kind: type[ModelsByStyle],
    chosen: Mapping[str, Value],
    report: ProgressCallback,
) -> ModelsByStyle:
    """Train a model of each style and store them under a name, whole or not at all.

    Raises
    ------
    TrainingError
        If the name is taken or cannot be that of a folder, or a style has too few texts.
    """
    if not _NAME.fullmatch(name):
        raise TrainingError(f"name {name!r}: letters, digits, - . and _ only, at most 100")
    for other in KINDS.values():
        if name in stored_models(other):
            raise TrainingError(f"there is an {other.title} {name!r} already: choose another name")
    by_style = {
        style: [text for text, each in zip(texts.texts, texts.columns, strict=True) if each == n]
        for n, style in enumerate(texts.styles)
    }
    folder = Path(settings.MEDIA_ROOT) / FOLDER / name
    try:
        return kind(written_once(folder, lambda place: kind.write(by_style, place, chosen, report)))
    except ValueError as error:
        raise TrainingError(str(error)) from error


def language_model(study: Study, name: str) -> TrainedThing:
    """Find an n-gram model for metric runs; see `metrics.resources.loaders.Loader`."""
    return _language_model_named(NgramsByStyle, name)


def lstm_language_model(study: Study, name: str) -> TrainedThing:
    """Find an LSTM language model for metric runs."""
    return _language_model_named(LstmByStyle, name)


def _language_model_named(kind: type[ModelsByStyle], name: str) -> TrainedThing:
    models = {key: kind(path) for key, path in stored_models(kind).items()}
    if not models:
        raise ResourceError(
            f"there is no {kind.title} yet: train one with manage.py train_language_model "
            f"--kind {kind.kind}"
        )
    if not name and len(models) > 1:
        raise ResourceError(f"there are several {kind.title}s; choose one of {', '.join(models)}")
    for key, model in models.items():
        if name in ("", key) or (len(name) >= 8 and model.sha256.startswith(name)):
            return TrainedThing(key, model.sha256, model)
    raise ResourceError(f"there is no {kind.title} {name!r}; there are {', '.join(models)}")
