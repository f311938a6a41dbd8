"""The map of a study's texts: found if it was computed before, else computed by a job."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from hashlib import sha256
from operator import or_
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.urls import reverse
from numpy.typing import NDArray

from analysis.data import matrices
from analysis.data.study_data import StudyData
from analysis.filter.question import QuestionError
from analysis.reports.snapshot import versions
from analysis.stored_results import store_result, stored_result
from analysis.text_map.layout import MOST_TEXTS, MapAsked, laid_out
from corpus.jobs.progress import Progress
from corpus.jobs.queue import standing_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Output, Study, System
from metrics.encoders.sentence import sentence_encoder
from metrics.models import TrainedModel
from metrics.resources.attributors import loaded_classifier
from metrics.resources.stored_embeddings import stored_embeddings
from metrics.resources.trained_models import folder_of, models_of, stored_classifier
from metrics.scorers.scorer import Unavailable
from metrics.styles.transformer import Transformer
from metrics.styles.word_networks import Lstm, NgramVectors, TextCnn, WordNetwork

KIND = "text-map"
EMBEDDED_TOGETHER = 512
NO_RATINGS = ""
"""State of the ratings under which maps are stored: they show texts alone."""
NO_STYLE = "style not declared"
CLASSIFIERS = tuple(each.kind for each in (Transformer, TextCnn, Lstm, NgramVectors))
"""Kinds of classifiers whose last layer reads one vector of each text."""
SOURCE, REFERENCE, HUMAN, SYSTEM = "source", "reference", "human-written", "system output"


@dataclass(frozen=True, slots=True)
class MappedText:
    """A text, who wrote it, and the style that it has or should have."""

    segment: str
    kind: str
    system: str
    style: str
    text: str


def text_map(study: Study, asked: MapAsked, user: User | None) -> dict[str, Any] | Job:
    """Return the map if it was computed before, else the job that computes it.

    A failed job is returned too, so that its error shows instead of a new try at each reload.

    Raises
    ------
    QuestionError
        If a system or direction is unknown.
    """
    data = matrices.load(study)
    _check(data, asked)
    _check_classifier(study, asked)
    signature = _signature(study, asked)
    if found := stored_result(study, NO_RATINGS, signature):
        content: dict[str, Any] = found.content
        return content
    key = f"{KIND}:{study.pk}:{signature[:32]}"
    return standing_job(KIND, key, study=study, user=user, parameters={KIND: asked.to_dict()})


def run_text_map(job: Job, progress: Progress) -> dict[str, Any]:
    """Embed the texts, lay them out, and store the map.

    Raises
    ------
    JobError
        If there are too few texts or no encoder.
    """
    if job.study is None:
        raise JobError("the study of this map no longer exists")
    study = job.study
    parameters = job.parameters[KIND]
    asked = MapAsked(**parameters | {"systems": tuple(parameters["systems"])})
    try:
        _check_classifier(study, asked)
    except QuestionError as error:
        raise JobError(str(error)) from None
    signature = _signature(study, asked)
    data = matrices.load(study)
    texts, segments = _chosen(study, data, asked)
    try:
        places = laid_out(
            [each.text for each in texts],
            lambda different: _vectors(study, asked, different, progress),
            perplexity=asked.perplexity,
            seed=asked.seed,
        )
    except (ValueError, Unavailable) as error:
        raise JobError(str(error)) from error
    content = {
        "asked": asked.to_dict(),
        "segments": segments,
        "all_segments": len(data.segment_keys),
        "points": [
            [round(float(x), 3), round(float(y), 3), each.segment, each.kind, each.system,
             each.style, each.text]
            for (x, y), each in zip(places, texts, strict=True)
        ],
        "versions": versions(),
    }  # fmt: skip
    store_result(study, NO_RATINGS, signature, KIND, content)
    return {"link": reverse("study-map", args=[study.slug])}


def classifiers(study: Study) -> dict[str, TrainedModel]:
    """Return the style classifiers with a view of texts of their own, by name."""
    return {model.name: model for model in models_of(study) if has_representations(model)}


def has_representations(model: TrainedModel) -> bool:
    """Whether texts can be seen as a model sees them: one network, not one of each fold."""
    return model.kind in CLASSIFIERS and not model.settings.get("folds")


def representations(model: TrainedModel, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return what the last layer of a model reads of each text, shape (texts, size).

    Raises
    ------
    Unavailable
        If the model's files are gone or its last layer does not read one vector.
    """
    if model.kind == Transformer.kind:
        return loaded_classifier(folder_of(model), model.sha256).representations(texts)
    [network] = stored_classifier(model).models
    if not isinstance(network, WordNetwork):
        raise Unavailable(f"model {model.name}: its last layer does not read one vector of a text")
    return network.representations(texts)


def _vectors(
    study: Study, asked: MapAsked, texts: list[str], progress: Progress
) -> NDArray[np.float32]:
    """Return what is laid out: what a classifier makes of texts, else sentence embeddings.

    Embeddings are stored for other maps.
    """
    vectors: Callable[[list[str]], NDArray[np.float32]]
    if asked.represented_by:
        model = classifiers(study)[asked.represented_by]
        doing, vectors = f"reading texts by {model.name}", partial(representations, model)
    else:
        encode, stored = sentence_encoder().encode, stored_embeddings(study.pk)
        doing, vectors = "embedding texts", partial(encode, stored=stored)
    parts = []
    for start in range(0, len(texts), EMBEDDED_TOGETHER):
        progress.report(doing, start, len(texts))
        parts.append(vectors(texts[start : start + EMBEDDED_TOGETHER]))
    progress.report(f"laying out {len(texts):,} texts")
    return np.concatenate(parts)


def _check(data: StudyData, asked: MapAsked) -> None:
    names = [system.name for system in data.systems]
    for name in asked.systems:
        if name not in names:
            raise QuestionError(f"systems={name}: this study has {', '.join(names)}")
    directions = sorted(set(filter(None, data.directions)))
    if asked.direction and asked.direction not in directions:
        has = ", ".join(directions) or "none"
        raise QuestionError(f"direction={asked.direction}: this study has {has}")


def _check_classifier(study: Study, asked: MapAsked) -> None:
    known = classifiers(study)
    if asked.represented_by and asked.represented_by not in known:
        has = f"this study has {', '.join(known)}" if known else "none is trained here"
        raise QuestionError(
            f"represented_by={asked.represented_by}: expected a fine-tuned transformer, "
            f"text-cnn, lstm or ngram-vectors that is not cross-fitted; {has}"
        )


def _signature(study: Study, asked: MapAsked) -> str:
    """Hash what the picture depends on: the texts do not change within a revision."""
    parts: list[Any] = [KIND, study.revision, asked.to_dict(), versions()]
    if asked.represented_by:
        parts.append(classifiers(study)[asked.represented_by].sha256)
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _chosen(study: Study, data: StudyData, asked: MapAsked) -> tuple[list[MappedText], int]:
    """Return the texts of as many segments as there is room for, sampled by the seed."""
    rows = [
        row
        for row, direction in enumerate(data.directions)
        if not asked.direction or direction == asked.direction
    ]
    wanted = _wanted(study, data, asked, rows)
    if (count := wanted.count()) > MOST_TEXTS:
        most = max(1, len(rows) * MOST_TEXTS // count)
        rows = np.random.default_rng(asked.seed).permutation(rows)[:most].tolist()
        wanted = wanted.filter(segment__key__in=[data.segment_keys[row] for row in rows])
    return list(_texts(wanted, data, rows))[:MOST_TEXTS], len(rows)


def _wanted(
    study: Study, data: StudyData, asked: MapAsked, rows: list[int]
) -> QuerySet[Output, Output]:
    """Return sources, references and outputs of some segments that are not empty."""
    systems = asked.systems or [each.name for each in data.systems if not each.is_baseline]
    of_systems = Q(system__kind=System.Kind.SYSTEM, system__name__in=systems, variant=1)
    given = Q(system__kind__in=(System.Kind.SOURCE, System.Kind.REFERENCE))
    found = Output.objects.filter(of_systems | given, study=study).exclude(text="")
    if asked.direction:
        styles = {(data.source_styles[row], data.target_styles[row]) for row in rows}
        pairs = (Q(segment__source_style=one, segment__target_style=two) for one, two in styles)
        found = found.filter(reduce(or_, pairs, Q()))
    return found


def _texts(
    wanted: QuerySet[Output, Output], data: StudyData, rows: list[int]
) -> Iterator[MappedText]:
    """Yield texts in their order, except those of white space alone."""
    row_of = {data.segment_keys[row]: row for row in rows}
    human = {system.name for system in data.systems if system.human}
    found = wanted.order_by("ordinal").values_list(
        "segment__key", "system__kind", "system__name", "text"
    )
    for key, kind, name, text in found.iterator(chunk_size=20_000):
        if key not in row_of or not text.strip():
            continue
        target = data.target_styles[row_of[key]] or NO_STYLE
        if kind == System.Kind.SOURCE:
            yield MappedText(key, SOURCE, "", data.source_styles[row_of[key]] or NO_STYLE, text)
        elif kind == System.Kind.REFERENCE:
            yield MappedText(key, REFERENCE, "", target, text)
        else:
            yield MappedText(key, HUMAN if name in human else SYSTEM, name, target, text)
