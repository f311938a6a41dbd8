"""Segments of a study whose source is nearest to a text, with human ratings of their outputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from analysis.data.pooling import pooled_words
from analysis.data.selection import human_scores, scale_aspects
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from corpus.models import Output, Study, System
from metrics.encoders.sentence import sentence_encoder
from metrics.resources.stored_embeddings import stored_embeddings

MOST_SEGMENTS = 5000
"""Sources that are embedded for a page; of larger studies the first ones."""
NEAREST = 5
STUDIES_KEPT = 4


@dataclass(frozen=True, slots=True)
class RatedOutput:
    """An output with its mean rating on each aspect; None where nobody rated it."""

    system: str
    text: str
    ratings: tuple[float | None, ...]


@dataclass(frozen=True)
class Neighbour:
    """A segment near a text."""

    key: str
    similarity: float
    source: str
    direction: str
    outputs: tuple[RatedOutput, ...]


@dataclass(frozen=True)
class Neighbourhood:
    """The nearest segments, among how many they were sought, and which ratings are pooled."""

    aspects: tuple[str, ...]
    neighbours: tuple[Neighbour, ...]
    searched: int
    segments: int
    pooled: tuple[str, ...] = ()


def nearest_segments(
    study: Study, data: StudyData, text: str, count: int = NEAREST
) -> Neighbourhood:
    """Return the segments whose source has the highest cosine with a text.

    Sources are embedded once for each revision of a study.

    Raises
    ------
    metrics.scorers.scorer.Unavailable
        If the weights of the sentence encoder are not installed.
    """
    segments, vectors = _embedded_sources(study.pk, study.revision, data.segment_keys)
    similarities = vectors @ _unit(sentence_encoder().encode([text]))[0]
    best = np.argsort(-similarities, kind="stable")[:count].tolist()
    aspects = tuple(scale_aspects(data))
    keys = [segments[place][0] for place in best]
    rated = _rated_outputs(study, data, keys, aspects)
    neighbours = tuple(
        Neighbour(
            key=segments[place][0],
            similarity=max(-1.0, min(1.0, float(similarities[place]))),
            source=segments[place][1],
            direction=data.directions[data.segment_keys.index(segments[place][0])],
            outputs=rated[segments[place][0]],
        )
        for place in best
    )
    pooled = tuple(pooled_words(data.judgements, data.judgements.measures))
    return Neighbourhood(aspects, neighbours, len(segments), len(data.segment_keys), pooled)


@lru_cache(maxsize=STUDIES_KEPT)
def _embedded_sources(
    study: int, revision: int, keys: tuple[str, ...]
) -> tuple[tuple[tuple[str, str], ...], NDArray[np.float32]]:
    """Return keys and sources with their embeddings of unit length.

    The keys distinguish studies of two databases that this process may have seen.
    """
    sources = Output.objects.filter(
        study_id=study, system__kind=System.Kind.SOURCE, variant=1
    ).exclude(text="")
    rows = tuple(sources.order_by("ordinal").values_list("segment__key", "text")[:MOST_SEGMENTS])
    return rows, _unit(
        sentence_encoder().encode([text for _, text in rows], stored_embeddings(study))
    )


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def _rated_outputs(
    study: Study, data: StudyData, keys: Sequence[str], aspects: Sequence[str]
) -> dict[str, tuple[RatedOutput, ...]]:
    """Return the outputs of some segments with their mean ratings, in the order of systems."""
    ratings = [human_scores(data, Question(), aspect) for aspect in aspects]
    column = {system.name: place for place, system in enumerate(data.systems)}
    row = {key: data.segment_keys.index(key) for key in keys}
    found: dict[str, list[RatedOutput]] = {key: [] for key in keys}
    texts = Output.objects.filter(study=study, segment__key__in=keys, variant=1)
    texts = texts.filter(system__kind=System.Kind.SYSTEM).order_by("ordinal")
    for key, system, text in texts.values_list("segment__key", "system__name", "text"):
        values = [float(matrix[row[key], column[system]]) for matrix in ratings]
        means = tuple(None if np.isnan(value) else value for value in values)
        found[key].append(RatedOutput(system, text, means))
    return {key: tuple(outputs) for key, outputs in found.items()}
