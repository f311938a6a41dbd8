"""Studies as arrays, read once for each of their states and kept in memory.

`load(study)` gives a `StudyData`: texts, judgements and score arrays addressed by the places of
outputs in their natural order (see `analysis.data.natural_order`). Its methods lay them out as
segments × systems matrices, NaN where nothing is stored.
"""

from django.db.models import Max

from analysis.data.reading import read_study
from analysis.data.study_data import (
    StudyData,
)
from annotation.models import Submission
from corpus.models import Study


def state_token(study: Study) -> str:
    """Name the present state of a study's ratings and scores, cheaply."""
    newest = Submission.objects.filter(item__campaign__study=study).aggregate(Max("id"))["id__max"]
    return f"{study.revision}.{newest or 0}"


_loaded: dict[tuple[int, bool], tuple[str, StudyData]] = {}
STUDIES_KEPT = 4


def load(study: Study, token: str | None = None, *, withdrawn: bool = False) -> StudyData:
    """Return a study as arrays, from memory if nothing was published since.

    Work that was withdrawn is left out unless asked for.
    """
    token = token or state_token(study)
    known = _loaded.get((study.pk, withdrawn))
    if known and known[0] == token:
        return known[1]
    data = read_study(study, withdrawn=withdrawn)
    while len(_loaded) >= STUDIES_KEPT:
        _loaded.pop(next(iter(_loaded)))
    _loaded[study.pk, withdrawn] = (token, data)
    return data


def forget() -> None:
    """Drop what is kept in memory, as a test between databases must."""
    _loaded.clear()
