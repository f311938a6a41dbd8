"""The map of a study's texts: found if it was drawn before, else computed by a job."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.urls import reverse

from analysis.data import matrices
from analysis.data.study_data import StudyData
from analysis.filter.question import QuestionError
from analysis.reports.frame import versions
from analysis.stored_results import store_result, stored_result
from analysis.text_map.asked import MOST_TEXTS, MapAsked
from analysis.text_map.layout import laid_out
from corpus.jobs.progress import Progress
from corpus.jobs.queue import standing_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Output, Study, System
from metrics.scorers.scorer import Unavailable

KIND = "text-map"
NO_RATINGS = ""
"""State of the ratings under which maps are stored: they show texts alone."""
NO_STYLE = "style not declared"
SOURCE, REFERENCE, HUMAN, SYSTEM = "source", "reference", "written by people", "system output"


@dataclass(frozen=True, slots=True)
class MappedText:
    """A text, who wrote it, and the style that it has or should have."""

    segment: str
    kind: str
    system: str
    style: str
    text: str


def text_map(study: Study, asked: MapAsked, user: User | None) -> dict[str, Any] | Job:
    """Return the map if it was drawn before, else the job that draws it.

    A failed job is returned too, so that its error shows instead of a new try at each reload.

    Raises
    ------
    QuestionError
        If a system or direction is unknown.
    """
    data = matrices.load(study)
    _check(data, asked)
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
    signature = _signature(study, asked)
    data = matrices.load(study)
    texts, segments = _chosen(study, data, asked)
    progress.report(f"laying out {len(texts):,} texts")
    try:
        places = laid_out(
            [each.text for each in texts], perplexity=asked.perplexity, seed=asked.seed
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


def _check(data: StudyData, asked: MapAsked) -> None:
    names = [system.name for system in data.systems]
    for name in asked.systems:
        if name not in names:
            raise QuestionError(f"systems={name}: this study has {', '.join(names)}")
    directions = sorted(set(filter(None, data.directions)))
    if asked.direction and asked.direction not in directions:
        has = ", ".join(directions) or "none"
        raise QuestionError(f"direction={asked.direction}: this study has {has}")


def _signature(study: Study, asked: MapAsked) -> str:
    """Hash what the picture depends on: the texts do not change within a revision."""
    parts = [KIND, study.revision, asked.to_dict(), versions()]
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _chosen(study: Study, data: StudyData, asked: MapAsked) -> tuple[list[MappedText], int]:
    """Return the texts of as many segments as there is room for, drawn by the seed."""
    rows = [
        row
        for row, direction in enumerate(data.directions)
        if not asked.direction or direction == asked.direction
    ]
    texts = list(_texts(study, data, asked, rows))
    if len(texts) > MOST_TEXTS:
        most = max(1, len(rows) * MOST_TEXTS // len(texts))
        rows = np.random.default_rng(asked.seed).permutation(rows)[:most].tolist()
        kept = {data.segment_keys[row] for row in rows}
        texts = [each for each in texts if each.segment in kept][:MOST_TEXTS]
    return texts, len(rows)


def _texts(study: Study, data: StudyData, asked: MapAsked, rows: list[int]) -> Iterator[MappedText]:
    """Yield sources, references and outputs that are not empty, by one query."""
    row_of = {data.segment_keys[row]: row for row in rows}
    baselines = {system.name for system in data.systems if system.is_baseline}
    human = {system.name for system in data.systems if system.human}
    found = (
        Output.objects.filter(study=study)
        .exclude(text="")
        .order_by("ordinal")
        .values_list("segment__key", "system__kind", "system__name", "variant", "text")
    )
    for key, kind, name, variant, text in found.iterator(chunk_size=20_000):
        if key not in row_of or not text.strip():
            continue
        target = data.target_styles[row_of[key]] or NO_STYLE
        if kind == System.Kind.SOURCE:
            yield MappedText(key, SOURCE, "", data.source_styles[row_of[key]] or NO_STYLE, text)
        elif kind == System.Kind.REFERENCE:
            yield MappedText(key, REFERENCE, "", target, text)
        elif variant == 1 and (name in asked.systems if asked.systems else name not in baselines):
            yield MappedText(key, HUMAN if name in human else SYSTEM, name, target, text)
