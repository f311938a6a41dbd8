"""Trained style models of a study: found by name or hash, loaded once per process."""

from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db.models import Q, QuerySet

from corpus.models import Study
from metrics.models import TrainedModel
from metrics.resources.loaders import ResourceError, TrainedThing
from metrics.styles.storage import StoredClassifier

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
    model = _found(study, name, graded=graded)
    return TrainedThing(model.name, model.sha256, stored_classifier(model))


def _found(study: Study, name: str, *, graded: bool) -> TrainedModel:
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
