"""The cards of a study: each answer once for each state of the study, or the job it waits for."""

from dataclasses import dataclass, replace
from functools import cache as once
from importlib import import_module
from typing import Any

from django.contrib.auth.models import User
from django.core.cache import caches

from analysis.data import matrices
from analysis.data.narrowing import asked_data, narrowed
from analysis.data.pooling import pooled_words
from analysis.data.selection import measures_of
from analysis.data.states import NotRead, short_hash
from analysis.explorer.disagreement import Disagreements, explore
from analysis.explorer.exploration import Exploration
from analysis.filter.fields_of_kinds import restricted
from analysis.filter.question import Question, QuestionError
from analysis.findings.card import Answer, Card, Source
from analysis.reading_job import reading_job
from analysis.reports.agreement.report import AgreementReport
from analysis.reports.catalogue import FAILURES, METRICS, SYSTEMS, TRUST
from analysis.reports.kind import Report, opened
from analysis.reports.page_address import check_question
from analysis.reports.service import QUICK, report_or_job
from analysis.reports.summaries import aspect_words
from analysis.verdicts.trust import TENTATIVE, agreements
from corpus.jobs.fairness import TooManyJobs
from corpus.models import Job, Study

KEPT_SECONDS = 300
"""While ratings are added, a large study is shown as it was some minutes ago, and so are cards."""


@dataclass(frozen=True)
class CardKind:
    """A card: which question it answers, where the whole answer is, and what it needs.

    `further` is the address and the title of another report on the question.
    """

    key: str
    asks: str
    url_name: str
    report: str
    needs_scores: bool = False
    reads_outputs: bool = False
    rests_on_agreement: bool = False
    further: tuple[str, str] = ("", "")

    @property
    def answer(self) -> Answer:
        """What makes the card; imported when a study has what it needs."""
        found: Answer = getattr(import_module("analysis.findings.answers"), self.key)
        return found


CARDS = (
    CardKind("trust", TRUST, "study-agreement", "Agreement"),
    CardKind(
        "systems",
        SYSTEMS,
        "study-system-comparison",
        "Systems",
        rests_on_agreement=True,
    ),
    CardKind(
        "metrics",
        METRICS,
        "study-comparison",
        "Metric comparison",
        needs_scores=True,
        rests_on_agreement=True,
        further=("study-stand-in", "Stand-in"),
    ),
    CardKind(
        "failures",
        FAILURES,
        "study-disagreement",
        "Disagreement",
        needs_scores=True,
        reads_outputs=True,
        further=("study-subgroups", "Subgroups"),
    ),
)


@once
def card_kind(key: str) -> CardKind:
    """Return a card by its key.

    Raises
    ------
    LookupError
        If there is no such card.
    """
    for kind in CARDS:
        if kind.key == key:
            return kind
    raise LookupError(f"no card {key!r}; there are: {', '.join(each.key for each in CARDS)}")


class _NotReady(Exception):
    def __init__(self, job: Job) -> None:
        super().__init__(f"job {job.pk} computes it")
        self.job = job


@dataclass(frozen=True)
class _Source:
    """Reports as they are stored, or as jobs compute them."""

    study: Study
    question: Question
    user: User | None

    def report(self, kind: str, question: Question | None = None) -> Report[Any]:
        # Four cards share the time for which a page may wait.
        asked = restricted(kind, self.question if question is None else question)
        quick = QUICK // len(CARDS)
        found = report_or_job(self.study, kind, asked, self.user, quick=quick)
        if isinstance(found, Job):
            raise _NotReady(found)
        return opened(found)

    def explore(self, asked: Exploration) -> Disagreements | None:
        return explore(self.study, matrices.load(self.study), asked)


def card_of(
    study: Study, kind: CardKind, question: Question, user: User | None, state: str
) -> Card | Job:
    """Return a card, or the job that it waits for.

    Parameters
    ----------
    question
        The aspect, level and metric that it shall be about, where they are not the default ones.
    state
        Of the study, by `analysis.data.states.state_token`.
    """
    if known := kept_card(study, kind, question, state):
        return known
    found = _made(study, kind, question, user)
    if isinstance(found, Card):
        caches["local"].set(_key(study, kind, question, state), found, KEPT_SECONDS)
    return found


def kept_card(study: Study, kind: CardKind, question: Question, state: str) -> Card | None:
    """Return a card that was made before, if it is still the same."""
    known = caches["local"].get(_key(study, kind, question, state))
    return known if isinstance(known, Card) else None


def _key(study: Study, kind: CardKind, question: Question, state: str) -> str:
    return f"finding:{study.pk}:{short_hash(kind.key, repr(question.to_query()), state)}"


def _made(study: Study, kind: CardKind, question: Question, user: User | None) -> Card | Job:
    try:
        if question.given():
            check_question(asked_data(study, question), question)
        source = _Source(study, question, user)
        card = kind.answer(source)
        if kind.rests_on_agreement and card.aspect:
            card = replace(card, caution=caution(source, card.aspect))
        data = narrowed(matrices.load(study), question)
        about = measures_of(data, card.aspect) if card.aspect else data.judgements.measures
        return replace(card, pooled=tuple(pooled_words(data.judgements, about)))
    except NotRead:
        return reading_job(study, user)
    except _NotReady as waits:
        if waits.job.state != Job.State.FAILED:
            return waits.job
        return Card(missing=f"The report could not be computed: {waits.job.error}")
    except (QuestionError, TooManyJobs) as refused:
        return Card(missing=f"{refused}.")


def caution(source: Source, aspect: str) -> str:
    """Say that agreement on an aspect was not shown to suffice; nothing where it was.

    Nothing is said either where agreement cannot be computed: the first card says so.
    """
    content: AgreementReport = source.report("agreement", Question()).content
    asked = aspect_words(aspect)
    known = [each for each in agreements(content) if each.asked == asked]
    unsafe = any(each.result.value is not None and each.least < TENTATIVE for each in known)
    return f"Agreement between raters was not shown to suffice on {asked}." if unsafe else ""
