"""Studies as arrays: from memory, from files, or read from the database, once for each state.

`load(study)` gives a `StudyData`: texts, judgements and score arrays addressed by the places of
outputs in their natural order (see `analysis.data.arrays`). Its methods lay them out as
segments × systems matrices, NaN where nothing is stored.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from analysis.data.array_files import laid_down, lay_down
from analysis.data.reading import read_study
from analysis.data.states import ONLY_AT_HAND, THEN, NotRead, state_token
from analysis.data.study_data import StudyData
from annotation.models import Submission
from corpus.models import Output, Study

_loaded: dict[tuple[int, bool], tuple[str, StudyData]] = {}
STUDIES_KEPT = 4
LARGE = 50_000
"""Outputs and ratings from which on a study is laid down in files, and not read while a page waits.
"""
STALE_AFTER = 300.0
"""Seconds for which pages take a large study as it was while more ratings come."""


def load(study: Study, *, withdrawn: bool = False) -> StudyData:
    """Return a study as arrays: from memory or files if nothing was published since, else read.

    Work that was withdrawn is left out unless asked for.

    Raises
    ------
    NotRead
        Within `only_at_hand`, if a large study is neither in memory nor in files.
    """
    token = state_token(study)
    known = _loaded.get((study.pk, withdrawn))
    if known and known[0] == token:
        return known[1]
    data = laid_down(study.pk, *_state(token, withdrawn))
    if data is None and ONLY_AT_HAND.get() and not _is_small(study):
        data = laid_down(study.pk, *_state(token, withdrawn), seconds_ago=STALE_AFTER)
        if data is None:
            raise NotRead(study, withdrawn=withdrawn)
        return data
    if data is None:
        data = read_study(study, withdrawn=withdrawn)
        if len(data.segment_of_output) + len(data.judgements.value) >= LARGE:
            lay_down(study.pk, *_state(token, withdrawn), data)
            data = laid_down(study.pk, *_state(token, withdrawn)) or data
    while len(_loaded) >= STUDIES_KEPT:
        _loaded.pop(next(iter(_loaded)))
    _loaded[study.pk, withdrawn] = (token, data)
    return data


def _is_small(study: Study) -> bool:
    """Whether a study has few outputs and submissions; counting ends where they are many."""
    outputs = Output.objects.filter(study=study).values("pk")[:LARGE].count()
    of_study = Submission.objects.filter(annotator__campaign__study=study).values("pk")
    return outputs + of_study[:LARGE].count() < LARGE


def _state(token: str, withdrawn: bool) -> tuple[str, str]:
    """Name a state in files: what was published, and the last submission.

    Another version of this code may not read the files as this one does.
    """
    published, _, submission = token.partition(THEN)
    return f"{published} {withdrawn} {_version()}", submission


@cache
def _version() -> str:
    """Hash this package: files that another version of it laid down are not read."""
    modules = sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in modules)).hexdigest()


def forget() -> None:
    """Drop what is kept in memory, as a test between databases must."""
    _loaded.clear()
