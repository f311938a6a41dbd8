"""What a run is told to use: trained models, loaded by whoever trains them, texts and answers."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.db.models import QuerySet, Sum
from django.utils import timezone

from corpus.later_functions import Later
from corpus.models import Output, Study, System
from metrics.models import JudgeAnswer
from metrics.resources.stored_embeddings import stored_embeddings
from metrics.scorers.scorer import AdversarialTexts, Answer, Resources, Tokens
from metrics.scorers.spec import MetricSpec, Need, need_words

MOST_ASKED = 500
"""Prompts that one query looks up."""
LONGEST_WAY, LONGEST_REASON = 500, 500


class StoredAnswers:
    """Answers of a study; see `metrics.scorers.scorer.AnswerBook`.

    Parameters
    ----------
    study
    """

    def __init__(self, study: Study) -> None:
        self.study = study

    def known(self, asked_as: str, prompts: Sequence[str]) -> Mapping[str, Answer]:
        """Return the answers that came to some prompts."""
        return {row.prompt: row for row in self.rows(asked_as, prompts) if not row.reason}

    def rows(self, asked_as: str, prompts: Sequence[str]) -> Iterator[Answer]:
        """Yield all that is kept of some prompts, reasons too."""
        by_hash = {_hash(prompt): prompt for prompt in prompts}
        hashes = list(by_hash)
        for start in range(0, len(hashes), MOST_ASKED):
            kept = self._asked(asked_as).filter(
                prompt_sha256__in=hashes[start : start + MOST_ASKED]
            )
            for row in kept.defer("prompt").order_by("pk"):
                yield Answer(
                    by_hash[row.prompt_sha256],
                    row.answer,
                    row.reason,
                    row.tokens_in,
                    row.tokens_out,
                    row.seconds,
                )

    def keep(self, asked_as: str, answers: Iterable[Answer]) -> None:
        """Keep answers; a reason why none came is replaced by what comes later."""
        rows = [
            JudgeAnswer(
                study=self.study,
                asked_as=_way(asked_as),
                prompt_sha256=_hash(each.prompt),
                prompt=_storable(each.prompt),
                answer=_storable(each.text),
                reason=_storable(each.reason)[:LONGEST_REASON],
                tokens_in=each.tokens_in,
                tokens_out=each.tokens_out,
                seconds=each.seconds,
                created_at=timezone.now(),
            )
            for each in answers
        ]
        JudgeAnswer.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["study", "asked_as", "prompt_sha256"],
            update_fields=[
                *("answer", "reason", "tokens_in", "tokens_out", "seconds", "created_at")
            ],
        )

    def used(self, asked_as: str) -> Tokens:
        """Return the tokens of all that is kept."""
        total = self._asked(asked_as).aggregate(read=Sum("tokens_in"), written=Sum("tokens_out"))
        return Tokens(total["read"] or 0, total["written"] or 0)

    def _asked(self, asked_as: str) -> QuerySet[JudgeAnswer]:
        return JudgeAnswer.objects.filter(study=self.study, asked_as=_way(asked_as))


def _hash(prompt: str) -> str:
    return sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


def _way(asked_as: str) -> str:
    """Return how a model was asked, shortened where it is too long to be stored."""
    if len(asked_as) <= LONGEST_WAY:
        return asked_as
    tail = f"…{_hash(asked_as)}"
    return asked_as[: LONGEST_WAY - len(tail)] + tail


def _storable(text: str) -> str:
    """Return a text without what no database takes."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


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
_loaders: dict[Need, Loader] = {
    **{need: Later("metrics.resources.trained_models", need) for need in TRAINED},
    "naturalness": Later(__name__, "study_texts"),
}


def trained(study: Study, need: Need, name: str) -> TrainedThing:
    """Return a trained model of a study by its name or hash.

    Raises
    ------
    ResourceError
        If the study does not have it.
    Unavailable
        If nothing here trains such models, or its files are not there.
    """
    return _loaders[need](study, name)


def resources_for(
    study: Study, spec: MetricSpec, wanted: Mapping[str, str]
) -> tuple[Resources, dict[str, str]]:
    """Load what a metric needs; return it with the hash of each trained model.

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
    resources = Resources(
        **cast(Any, arguments),
        documents=References(study),
        embeddings=stored_embeddings(study.pk),
        answers=StoredAnswers(study),
        cache=settings.DATA_DIR / WEIGHTS,
    )
    return resources, {need: thing.sha256 for need, thing in found.items()}


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
