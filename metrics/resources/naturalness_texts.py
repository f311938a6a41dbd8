"""The texts of a study, by the model that wrote them, for classifiers of naturalness."""

import hashlib
import json
from datetime import datetime
from functools import cached_property, lru_cache

from corpus.models import Output, Study, System
from metrics.resources.loaders import ResourceError, TrainedThing
from metrics.scorers.scorer import AdversarialTexts

NAME = "study"


class StudyTexts:
    """Sources and outputs of a study, read when they are asked for, one model at a time.

    Systems that name the same model in their attributes are settings of one model; any other
    system is a model of its own. References are one more model, whose outputs people wrote.
    """

    def __init__(self, study: Study) -> None:
        self._study = study

    @cached_property
    def models(self) -> dict[str, str]:
        """System to its model, all but the sources."""
        systems = self._study.systems.exclude(kind=System.Kind.SOURCE)
        return {
            system.name: str(system.attributes.get("model") or system.name) for system in systems
        }

    @cached_property
    def sha256(self) -> str:
        """Hash of all texts with their places, and of which system is of which model."""
        # Texts and attributes change with the study's revision only, and pages ask often.
        state = Study.objects.values_list("created_at", "revision").get(pk=self._study.pk)
        return _hashed(self._study.pk, *state, json.dumps(self.models, sort_keys=True))

    def of_model(self, model: str) -> AdversarialTexts:
        """Return all sources, and the outputs of all systems of a model."""
        names = [name for name, each in self.models.items() if each == model]
        outputs = Output.objects.filter(study=self._study).order_by("ordinal")
        texts = outputs.values_list("segment__ordinal", "text")
        sources = list(texts.filter(system__kind=System.Kind.SOURCE))
        rows = [*sources, *texts.filter(system__name__in=names)]
        return AdversarialTexts(
            texts=[text for _, text in rows],
            segments=[segment for segment, _ in rows],
            are_sources=[place < len(sources) for place in range(len(rows))],
        )


@lru_cache(maxsize=32)
def _hashed(study: int, created_at: datetime, revision: int, models: str) -> str:
    digest = hashlib.sha256(models.encode())
    rows = Output.objects.filter(study=study).order_by("ordinal")
    places = rows.values_list("segment__ordinal", "system__name", "variant", "sha256")
    for row in places.iterator(chunk_size=10_000):
        digest.update(json.dumps(row).encode())
    return digest.hexdigest()


def study_texts(study: Study, name: str) -> TrainedThing:
    """Return what runs train classifiers of naturalness on; there is one choice, the study.

    Raises
    ------
    ResourceError
        If something else is named, such as the hash of texts that were fewer.
    """
    texts = StudyTexts(study)
    if name not in ("", NAME, texts.sha256):
        raise ResourceError(
            f"naturalness is learned from the {NAME}'s own texts as they are now, not {name!r}: "
            "ask for the run again without naming them"
        )
    return TrainedThing(NAME, texts.sha256, texts)
