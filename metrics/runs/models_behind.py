"""The trained models behind the scores of runs, and how good they are."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from corpus.models import Study
from metrics.attribution.classifier import TransformerClassifier
from metrics.models import MetricRun, TrainedModel
from metrics.resources.attributors import model_sha256
from metrics.resources.trained_models import folder_of, models_of
from metrics.scorers.scorer import Unavailable
from metrics.styles.evaluation import quality_words

NOT_INSTALLED = "quality not known: this model is not installed here"
_STYLE_MODELS = ("classifier", "regressor")
_DIGITS = 12


class ModelBehind(NamedTuple):
    """A style model that decided a run's scores, or which words were masked for them."""

    name: str
    """Its name; the first digits of its hash where it is not installed."""
    quality: str
    """How good it is on held-out texts, in words."""
    model: int | None
    """Its row; None where it is not installed."""


class ModelsBehind:
    """Finds the style models behind the runs of one study; their rows are read once.

    A model is known by its hash, never by its name alone: runs also come from elsewhere.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._attributable: dict[str, str] = {}

    def of(self, run: MetricRun) -> tuple[ModelBehind, ...]:
        """Return the models behind a run, each once."""
        return tuple(dict.fromkeys(self._found(run)))

    def _found(self, run: MetricRun) -> Iterator[ModelBehind]:
        files = run.versions.get("files", {})
        for need in _STYLE_MODELS:
            if need in files:
                yield _behind(self._by_sha256.get(files[need]), files[need][:_DIGITS])
        text = run.request.get("text", {})
        if text.get("by") == "attribution":
            yield _behind(self._attributed(text["model"], text["sha256"]), text["model"])

    def _attributed(self, name: str, sha256: str) -> TrainedModel | None:
        """Return the model of this name with which words were attributed, by a hash of it."""
        named = (model for model in self._models if model.name == name)
        return next(
            (model for model in named if sha256 in (model.sha256, self._files_sha256(model))), None
        )

    def _files_sha256(self, model: TrainedModel) -> str:
        if model.sha256 not in self._attributable:
            try:
                found = model_sha256(TransformerClassifier(folder_of(model)))
            except (Unavailable, OSError):
                found = ""
            self._attributable[model.sha256] = found
        return self._attributable[model.sha256]

    @cached_property
    def _models(self) -> list[TrainedModel]:
        return list(models_of(self._study).defer("settings"))

    @cached_property
    def _by_sha256(self) -> dict[str, TrainedModel]:
        return {model.sha256: model for model in self._models}


def _behind(model: TrainedModel | None, name: str) -> ModelBehind:
    if model is None:
        return ModelBehind(name, NOT_INSTALLED, None)
    return ModelBehind(model.name, quality_words(model.report), model.pk)
