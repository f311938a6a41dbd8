"""How far the outputs of each segment differ: compared by a job where they are many, then kept."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
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
from analysis.stats.saving.segment_choice import diversity_of_texts
from corpus.jobs.progress import Progress
from corpus.jobs.queue import standing_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Study
from corpus.progress import ProgressCallback, unreported

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
