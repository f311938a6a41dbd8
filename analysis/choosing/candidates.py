"""The segments of a study that may be chosen, and what rating each of them is worth."""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import chain
from typing import Any

import numpy as np
from django.contrib.auth.models import User

from analysis.data import matrices
from analysis.data.array_files import keep_column, kept_column
from analysis.data.arrays import Floats, Integers
from analysis.data.output_texts import texts_by_segment
from analysis.data.selection import Cells
from analysis.data.states import ONLY_AT_HAND, NotCompared
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import metrics_of_aspect
from analysis.estimates.evaluation import scale_aspect_asked
from analysis.estimates.segment_worth import (
    DIVERSITY,
    MEANING,
    METRICS,
    RATINGS,
    TOGETHER,
    diversity_of_meaning,
    metric_worths,
    spread,
    together,
)
from analysis.filter.question import Question
from analysis.stats.saving.segment_choice import diversity_of_texts
from corpus.jobs.progress import Progress
from corpus.jobs.queue import standing_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Study
from corpus.progress import ProgressCallback, unreported
from metrics.encoders.sentence import sentence_encoder
from metrics.encoders.stored_vectors import StoredVectors
from metrics.resources.stored_embeddings import stored_embeddings
from metrics.scorers.scorer import Unavailable

KIND = "compare-outputs"
MOST_AT_ONCE = 20_000
"""Outputs that are compared while somebody waits: under a second, also where texts are long."""
_SEGMENTS_AT_ONCE = 1000


def comparing_job(error: NotCompared, user: User | None) -> Job:
    """Return the job that compares outputs, a new one if there is none."""
    key = f"{KIND}:{error.study.pk}:{error.name}"
    parameters = {"systems": error.systems}
    return standing_job(KIND, key, study=error.study, user=user, parameters=parameters)


def run_compare_outputs(job: Job, progress: Progress) -> dict[str, Any]:
    """Compare the outputs of a study, and keep the result where all processes find it."""
    if job.study is None:
        raise JobError("this study no longer exists")
    progress.report("reading the study")
    data = matrices.load(job.study)
    names = job.parameters["systems"]
    columns = [place for place, system in enumerate(data.systems) if system.name in names]
    found = diversity_of_segments(data, np.array(columns, np.int64), progress.report)
    return {"segments": int(np.isfinite(found).sum())}


def diversity_of_segments(
    data: StudyData, systems: Integers, progress: ProgressCallback = unreported
) -> Floats:
    """Return how far some systems' outputs differ, for each segment of a study.

    Raises
    ------
    NotCompared
        Within `only_at_hand`, if they are many and were not compared before.
    """
    asked = ("diversity of all", systems.tobytes())
    return data.recent.get(asked, lambda: _found_or_compared(data, systems, progress))


def _found_or_compared(data: StudyData, systems: Integers, progress: ProgressCallback) -> Floats:
    # The job finds its columns by name: whatever order was asked for, the result has one name.
    systems = np.sort(systems)
    names = [data.systems[place].name for place in systems.tolist()]
    there = data.matrix(data.system_outputs.astype(float))[:, systems] == 1
    if int(there.sum()) <= MOST_AT_ONCE:
        return _compared(data, systems, progress)
    study = Study.objects.get(slug=data.study_slug)
    # Texts never change: which there are says all.
    parts = ("\n".join(data.segment_keys), "\n".join(names))
    name = sha256("\n\n".join(parts).encode() + np.packbits(there).tobytes()).hexdigest()[:32]
    found = kept_column(study.pk, name)
    if found is None:
        if ONLY_AT_HAND.get():
            raise NotCompared(study, names, name)
        found = _compared(data, systems, progress)
        keep_column(study.pk, name, found)
    return found


def _compared(data: StudyData, systems: Integers, progress: ProgressCallback) -> Floats:
    every = np.arange(len(data.segment_keys))
    progress("reading outputs", 0, 0)
    texts = texts_by_segment(data, Cells(every, systems), every)
    return diversity_of_texts(_with_progress(texts, every.size, progress))


def _with_progress(
    segments: Iterator[list[str]], count: int, progress: ProgressCallback
) -> Iterator[Sequence[str]]:
    for number, texts in enumerate(segments):
        if number % _SEGMENTS_AT_ONCE == 0:
            progress("comparing the outputs of segments", number, count)
        yield texts


DIRECTION = "direction"
KEYS = {
    "metrics": METRICS,
    "diversity": DIVERSITY,
    "embeddings": MEANING,
    "ratings": RATINGS,
    "together": TOGETHER,
}
"""By what segments may be chosen, beside any one metric."""


class ChoiceError(ValueError):
    """Segments that cannot be chosen like this; the message says why."""


class Candidates:
    """The segments of a study that may be chosen, and by what.

    Parameters
    ----------
    data
        With the ratings that the question is about.
    question
        Its filter of systems, segments, metrics and ratings.

    Raises
    ------
    analysis.filter.question.QuestionError
        If the question names something that the study does not have.
    """

    def __init__(self, data: StudyData, question: Question) -> None:
        self.data = data
        self.aspect = scale_aspect_asked(data, question)
        self.question = question.but(
            aspect=self.aspect, level="segment", orientation="oriented", scores="raw"
        )
        metrics = metrics_of_aspect(data, self.question)
        self.people, self.pairings = metrics.people, metrics.pairings

    @cached_property
    def rows(self) -> Integers:
        """Places, among the selected segments, of those with outputs of two systems or more."""
        there = self.people.cells.of(self.data.matrix(self.data.system_outputs.astype(float)))
        rows: Integers = np.flatnonzero((there == 1).sum(axis=1) > 1)
        return rows

    @property
    def ways(self) -> list[tuple[str, str]]:
        """By what segments may be chosen: keys with their words."""
        names = [pairing.column.label for pairing in self.pairings]
        rated = bool(np.isfinite(spread(self.people.scores)).any())
        keys = ["together", "diversity", *["embeddings"] * self._has_embeddings]
        keys += [*["metrics"] * (len(names) > 1), *["ratings"] * rated]
        if not names and not rated:
            keys.remove("together")
        return [*((key, KEYS[key]) for key in keys), *((name, name) for name in names)]

    @cached_property
    def _stored(self) -> StoredVectors:
        pk = Study.objects.values_list("pk", flat=True).get(slug=self.data.study_slug)
        return stored_embeddings(pk)

    @property
    def _has_embeddings(self) -> bool:
        return any(self._stored.folder.glob("*.npy"))

    def _meaning(self, rows: Integers) -> Floats:
        texts = chain.from_iterable(texts_by_segment(self.data, self.people.cells, rows))
        try:
            vectors = sentence_encoder().already_stored(texts, self._stored)
        except Unavailable as error:
            raise ChoiceError(str(error)) from None
        return diversity_of_meaning(self.data, self.people.cells, rows, vectors)

    @property
    def strata(self) -> list[str]:
        """By what segments may be divided."""
        several = len(self.data.directions_met) > 1
        return [*[DIRECTION] * several, *self.data.segment_attribute_names]

    def worth(self, by: str, rows: Integers, rated: Floats | None = None) -> Floats:
        """Return what rating some of the selected segments is worth.

        `rated` takes the place of all their ratings.

        Raises
        ------
        ChoiceError
            If nothing is known by which they could be chosen.
        analysis.data.states.NotCompared
            As `diversity_of_segments`.
        """
        if by not in dict(self.ways):
            known = ", ".join(key for key, _ in self.ways)
            raise ChoiceError(f"by={by}: segments may be chosen by {known}")
        if by not in KEYS:
            [pairing] = [each for each in self.pairings if each.column.label == by]
            return spread(pairing.metric[rows])
        if by == "embeddings":
            return self._meaning(rows)
        found: dict[str, Floats] = {}
        if by in ("metrics", "together"):
            found = metric_worths(self.pairings, rows)
        if by in ("diversity", "together"):
            cells = self.people.cells
            every = diversity_of_segments(self.data, cells.systems)
            found[DIVERSITY] = every[cells.segments[rows]]
        if by in ("ratings", "together"):
            found[RATINGS] = spread(self.people.scores[rows] if rated is None else rated)
        everything = together(found) if by == "together" else found[KEYS[by]]
        return found[DIVERSITY] if everything is None else everything

    def strata_of(self, rows: Integers, names: tuple[str, ...]) -> list[Hashable]:
        """Return the stratum of each segment, by direction and attributes."""
        places = self.people.cells.segments[rows].tolist()
        return [
            " · ".join(
                self.data.directions[place]
                if name == DIRECTION
                else str(self.data.segment_attributes[place].get(name, ""))
                for name in names
            )
            for place in places
        ]
