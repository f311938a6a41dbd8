"""How words are attributed by a style model: by its gradients where it has them, or by occlusion.

Models fine-tuned here are attributed by Integrated Gradients unless occlusion is asked for. Every
other classifier with probabilities is by occlusion; one that somebody else trained may be by
gradients too if each of its classes is one style.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from metrics.attribution import integrated_gradients as gradients
from metrics.attribution import occlusion
from metrics.attribution.attribution import Attribution
from metrics.attribution.classifier import Baseline, TransformerClassifier
from metrics.attribution.masking import MaskingRule
from metrics.attribution.quadrature import Quadrature
from metrics.models import TrainedModel
from metrics.resources.attributions import gradients_method, model_sha256
from metrics.resources.loaders import TrainedThing
from metrics.scorers.scorer import Classifier
from metrics.styles import transformer
from metrics.styles.ready_made import ReadyMade
from metrics.weights import local

AUTOMATIC, GRADIENTS, OCCLUSION = "automatic", "integrated-gradients", "occlusion"
METHODS = (AUTOMATIC, GRADIENTS, OCCLUSION)
KEEP_SPECIAL: Baseline = "keep-special"
NEEDS_PIECES = (
    "occlusion leaves out whole words: single word pieces, ranked special tokens and the baseline "
    "pad-all (as in report-2022) are of integrated-gradients"
)


class Attributor(Protocol):
    """Attributes styles to words.

    Attributes
    ----------
    styles
        Names of the columns.
    sha256
        Hash of the model.
    key
        Names the method, its settings and revision: what tells apart stored attributions.
    parts
        What a signature says of the method.
    revision
        Of the method.
    """

    @property
    def styles(self) -> tuple[str, ...]: ...
    @property
    def sha256(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def parts(self) -> tuple[str, ...]: ...
    @property
    def revision(self) -> int: ...

    def attributions(self, texts: Sequence[str], columns: Sequence[int]) -> list[Attribution]:
        """Return the attributions of texts, each for one column."""


@dataclass(frozen=True)
class ByGradients:
    """Integrated Gradients of a transformer."""

    classifier: TransformerClassifier = field(repr=False)
    sha256: str
    styles: tuple[str, ...]
    baseline: Baseline = KEEP_SPECIAL
    revision = gradients.REVISION

    @property
    def key(self) -> str:
        """See `Attributor`."""
        return gradients_method(self.baseline, Quadrature())

    @property
    def parts(self) -> tuple[str, ...]:
        """See `Attributor`."""
        return (f"baseline:{self.baseline}",)

    def attributions(self, texts: Sequence[str], columns: Sequence[int]) -> list[Attribution]:
        """See `Attributor`."""
        return gradients.integrated_gradients(
            self.classifier, texts, columns, baseline=self.baseline
        )


@dataclass(frozen=True)
class ByOcclusion:
    """Occlusion of single words."""

    classifier: Classifier = field(repr=False)
    sha256: str
    key = f"{OCCLUSION}-{occlusion.REVISION}"
    parts = (f"method:{OCCLUSION}",)
    revision = occlusion.REVISION

    @property
    def styles(self) -> tuple[str, ...]:
        """See `Attributor`."""
        return self.classifier.styles

    def attributions(self, texts: Sequence[str], columns: Sequence[int]) -> list[Attribution]:
        """See `Attributor`."""
        return occlusion.occlusion(self.classifier, texts, columns)


def attributor(
    thing: TrainedThing, method: str = AUTOMATIC, baseline: Baseline = KEEP_SPECIAL
) -> Attributor:
    """Return what attributes words by a trained model.

    Raises
    ------
    ValueError
        If the model cannot be attributed like this; the message says what to choose.
    Unavailable
        If the model is not on this machine.
    """
    model: Any = thing.model
    folder = getattr(model, "folder", None)
    if folder is None or getattr(model, "is_cross_fitted", False):
        raise ValueError(
            f"{thing.name} has no attributions: they are of one classifier, not of one a fold; "
            "name or train such a one"
        )
    if local.is_model(folder) and method != OCCLUSION:
        sha256 = model_sha256(TransformerClassifier(folder))
        classifier = loaded_classifier(folder, sha256)
        return ByGradients(classifier, sha256, classifier.styles, baseline)
    [trained] = model.models
    if method == GRADIENTS:
        if not isinstance(trained, ReadyMade) or len(trained.classes) > len(trained.styles):
            raise ValueError(
                f"{thing.name}: integrated-gradients are of a transformer each of whose classes "
                f"is one style; choose the method {OCCLUSION}"
            )
        classifier = loaded_classifier(local.folder(str(trained.settings["model"])), thing.sha256)
        return ByGradients(classifier, thing.sha256, trained.classes, baseline)
    if trained.is_graded:
        raise ValueError(f"{thing.name} grades one style and has no probabilities to attribute")
    return ByOcclusion(trained, thing.sha256)


def check_rule(attributor: Attributor, rule: MaskingRule, baseline: Baseline) -> None:
    """Raise `ValueError` if a method cannot do what is asked of it."""
    whole_words = rule.merge_words and not rule.rank_special and baseline == KEEP_SPECIAL
    if isinstance(attributor, ByOcclusion) and not whole_words:
        raise ValueError(NEEDS_PIECES)


def is_fine_tuned(model: TrainedModel) -> bool:
    """Whether a model is one transformer that was fine-tuned here, not one a fold."""
    return model.kind == transformer.KIND and not model.settings.get("folds")


def is_attributable(model: TrainedModel) -> bool:
    """Whether words can be attributed: by gradients, or by the probabilities of one classifier."""
    return is_fine_tuned(model) or not (model.is_graded or model.settings.get("folds"))


def usual_model(models: Iterable[TrainedModel]) -> TrainedModel | None:
    """Return the model that attributes where none is named: the first fine-tuned one, or any."""
    possible = [model for model in models if is_attributable(model)]
    return next(filter(is_fine_tuned, possible), next(iter(possible), None))


@lru_cache(maxsize=2)
def loaded_classifier(folder: Path, sha256: str) -> TransformerClassifier:
    """Keep a classifier loaded for the many runs of a sweep; another hash is another one."""
    return TransformerClassifier(folder)
