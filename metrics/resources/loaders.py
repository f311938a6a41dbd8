"""Trained models that a run is told to use, loaded by whoever trains them.

Each kind of model registers how one of a study is found by its name or hash: see `register_loader`.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, cast

from django.conf import settings

from corpus.models import Output, Study, System
from metrics.resources.stored_answers import StoredAnswers
from metrics.resources.stored_embeddings import stored_embeddings
from metrics.scorers.scorer import Resources, Unavailable
from metrics.scorers.spec import MetricSpec, Need, need_words

TRAINED: tuple[Need, ...] = (
    *("classifier", "regressor", "language_model", "lstm_language_model", "naturalness"),
)
"""Needs that a trained model meets, not the texts of the study."""


WEIGHTS = "weights"
"""Folder below the data in which converted weights are kept."""


class ResourceError(ValueError):
    """A trained model that is not named, not known, or not wanted; the message says which."""


class TrainedThing(NamedTuple):
    """A trained model as a run takes it."""

    name: str
    sha256: str
    model: Any


Loader = Callable[[Study, str], TrainedThing]
"""Finds a model of a study by name or hash (an empty name: the only one that there is).

Raises `ResourceError` if it is not there, `Unavailable` if its files are not.
"""
_loaders: dict[Need, Loader] = {}


@dataclass(frozen=True)
class FoundResources:
    """What a run uses: loaded, by name, and by hash."""

    loaded: Resources
    names: Mapping[str, str] = field(default_factory=dict)
    fingerprint: Mapping[str, str] = field(default_factory=dict)


def register_loader(need: Need, loader: Loader) -> None:
    """Let runs of metrics with a need find their trained models."""
    _loaders[need] = loader


def trained(study: Study, need: Need, name: str) -> TrainedThing:
    """Return a trained model of a study by its name or hash.

    Raises
    ------
    ResourceError
        If the study does not have it.
    Unavailable
        If nothing here trains such models, or its files are not there.
    """
    if need not in _loaders:
        raise Unavailable(f"it needs a {need_words(need)}, and there is none")
    return _loaders[need](study, name)


def resources_for(study: Study, spec: MetricSpec, wanted: Mapping[str, str]) -> FoundResources:
    """Load what a metric needs.

    Raises
    ------
    ResourceError
        If a model is named that the metric does not need or the study does not have.
    Unavailable
        If nothing here trains such models.
    """
    needed = [need for need in TRAINED if need in spec.needs]
    for name in wanted:
        if name not in needed:
            raise ResourceError(f"it needs no {need_words(cast(Need, name))}")
    found: dict[Need, TrainedThing] = {}
    for need in needed:
        found[need] = trained(study, need, wanted.get(need, ""))
    # A regressor is a classifier of one graded style.
    given_as = {"regressor": "classifier", "lstm_language_model": "language_model"}
    arguments = {given_as.get(need, need): thing.model for need, thing in found.items()}
    return FoundResources(
        Resources(
            **cast(Any, arguments),
            documents=References(study),
            embeddings=stored_embeddings(study.pk),
            answers=StoredAnswers(study),
            cache=settings.DATA_DIR / WEIGHTS,
        ),
        {need: thing.sha256 for need, thing in found.items()},
        {need: thing.sha256 for need, thing in found.items()},
    )


class References:
    """References of a study, or its sources where it has none; read when they are first asked for.

    See `metrics.scorers.scorer.StudyDocuments`.
    """

    def __init__(self, study: Study) -> None:
        self._study = study

    @cached_property
    def texts(self) -> list[str]:
        """All of them in their order."""
        return self._of(System.Kind.REFERENCE) or self._of(System.Kind.SOURCE)

    @cached_property
    def sha256(self) -> str:
        """Hash of the texts in their order."""
        digest = hashlib.sha256()
        for text in self.texts:
            encoded = text.encode("utf-8", "surrogatepass")
            digest.update(len(encoded).to_bytes(8, "little") + encoded)
        return digest.hexdigest()

    def _of(self, kind: System.Kind) -> list[str]:
        outputs = Output.objects.filter(study=self._study, system__kind=kind)
        return list(outputs.order_by("ordinal").values_list("text", flat=True))
