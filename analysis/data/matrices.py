"""Studies as arrays: from memory, from files, or read from the database, once for each state.

`load(study)` gives a `StudyData`: texts, judgements and score arrays addressed by the places of
outputs in their natural order (see `analysis.data.natural_order`). Its methods lay them out as
segments × systems matrices, NaN where nothing is stored.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.db.models import F, OuterRef, Subquery

from analysis.data.laid_down import laid_down, lay_down
from analysis.data.reading import read_study
from analysis.data.study_data import (
    StudyData,
)
from annotation.models import Annotator, Submission
from corpus.models import AuditEntry, Output, Study


def state_token(study: Study) -> str:
    """Name the present state of a study's ratings and scores, cheaply.

    A number that grows would come again after a backup was restored; times and UUIDs do not.
    """
    of_annotator = Submission.objects.filter(annotator=OuterRef("pk")).order_by("-pk")
    annotators = Annotator.objects.filter(campaign__study=OuterRef("pk")).annotate(
        last=Subquery(of_annotator.values("pk")[:1])
    )
    last = annotators.order_by(F("last").desc(nulls_last=True)).values("last")[:1]
    entry = AuditEntry.objects.filter(study=OuterRef("pk")).order_by("-pk")
    published, stored = (
        Study.objects.filter(pk=study.pk)
        .annotate(
            entry=Subquery(entry.values("created_at")[:1]),
            last=Subquery(last),
            submission=Subquery(Submission.objects.filter(pk=OuterRef("last")).values("uuid")),
        )
        .values_list("entry", "submission")
        .get()
    )
    return f"{study.created_at} {study.revision} {published}{_THEN}{stored}"


_THEN = " then "
_loaded: dict[tuple[int, bool], tuple[str, StudyData]] = {}
STUDIES_KEPT = 4
LARGE = 50_000
"""Outputs and ratings from which on a study is laid down in files, and not read while a page waits.
"""
STALE_AFTER = 300.0
"""Seconds for which pages take a large study as it was while more ratings come."""


class NotRead(Exception):
    """A large study would have to be read from the database, for which nobody should wait."""

    def __init__(self, study: Study, *, withdrawn: bool) -> None:
        super().__init__(f"{study.slug} has to be read first")
        self.study, self.withdrawn = study, withdrawn


_only_at_hand: ContextVar[bool] = ContextVar("only_at_hand", default=False)


@contextmanager
def only_at_hand() -> Iterator[None]:
    """Let `load` raise `NotRead` instead of reading a large study, as whoever waits for it wants.

    A large study to which ratings are being added is then taken as it was a few minutes ago:
    otherwise there would never be a state in which to show it.
    """
    before = _only_at_hand.set(True)
    try:
        yield
    finally:
        _only_at_hand.reset(before)


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
    if data is None and _only_at_hand.get() and not _is_small(study):
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
    published, _, submission = token.partition(_THEN)
    return f"{published} {withdrawn} {_version()}", submission


@cache
def _version() -> str:
    """Hash this package: files that another version of it laid down are not read."""
    modules = sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in modules)).hexdigest()


def forget() -> None:
    """Drop what is kept in memory, as a test between databases must."""
    _loaded.clear()
