"""What pages need to know before a study is read: its present state, and whether to wait for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256

from django.db.models import F, OuterRef, Subquery

from annotation.models import Annotator, Submission
from corpus.models import AuditEntry, Study


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
    return f"{study.created_at} {study.revision} {published}{THEN}{stored}"


THEN = " then "


def short_hash(*parts: str) -> str:
    """Hash a state, or other long words, so that the key of a cache or a job can name it."""
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


class NotRead(Exception):
    """A large study would have to be read from the database, for which nobody should wait."""

    def __init__(self, study: Study, *, withdrawn: bool) -> None:
        super().__init__(f"{study.slug} has to be read first")
        self.study, self.withdrawn = study, withdrawn


class NotCompared(Exception):
    """The outputs of many segments would have to be compared, for which nobody should wait.

    Parameters
    ----------
    study
    systems
        Names of those whose outputs are compared.
    name
        Under which the result will be kept.
    """

    def __init__(self, study: Study, systems: list[str], name: str) -> None:
        super().__init__(f"the outputs of {study.slug} have to be compared first")
        self.study, self.systems, self.name = study, systems, name


ONLY_AT_HAND: ContextVar[bool] = ContextVar("only_at_hand", default=False)


@contextmanager
def only_at_hand() -> Iterator[None]:
    """Let `load` raise `NotRead` instead of reading a large study, as whoever waits for it wants.

    A large study to which ratings are being added is then taken as it was a few minutes ago:
    otherwise there would never be a state in which to show it.
    """
    before = ONLY_AT_HAND.set(True)
    try:
        yield
    finally:
        ONLY_AT_HAND.reset(before)
