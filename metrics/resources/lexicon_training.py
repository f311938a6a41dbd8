"""Training style lexicons: asked for by the page, done by a job, stored by corpus."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from corpus.jobs.progress import Progress
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import AuditEntry, Job, Study, StyleLexicon
from corpus.texts.lexicons import LexiconEntry, LexiconError, store_lexicon
from metrics.resources.style_training import study_texts, uploaded_corpus
from metrics.resources.training import as_job_errors
from metrics.styles.corpus_file import CorpusColumns
from metrics.styles.labelled import LabelledTexts, TrainingError, check_trainable, deduplicated
from metrics.styles.lexicon_training import (
    DEVIATIONS,
    FEWEST,
    STRENGTH,
    modifiers,
    style_words,
    word_weights,
)

KIND = "train-lexicon"
TYPICAL, MODIFIERS = "typical", "modifiers"


@dataclass(frozen=True)
class LexiconRequest:
    """A lexicon to be trained.

    Parameters
    ----------
    name
        What it will be called.
    strength, deviations, fewest
        See `metrics.styles.lexicon_training`.
    path, columns
        The file of a labelled corpus (empty: the study's own labels), and its columns.
    words
        `TYPICAL` of a style by their weights, or `MODIFIERS`, whatever style the texts have.
    """

    name: str
    strength: float = STRENGTH
    deviations: float = DEVIATIONS
    fewest: int = FEWEST
    path: str = ""
    columns: CorpusColumns = field(default_factory=CorpusColumns)
    words: str = TYPICAL

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "LexiconRequest":
        """Read the parameters of a job."""
        return cls(**{**data, "columns": CorpusColumns(**data["columns"])})


def ask_for_lexicon(study: Study, request: LexiconRequest, user: User | None) -> Job:
    """Queue the training of a lexicon.

    Raises
    ------
    LexiconError
        If the study has a lexicon of this name.
    JobActive
        If one is being trained.
    """
    if study.lexicons.filter(name=request.name).exists():
        raise LexiconError(f"there is a lexicon {request.name!r}; choose another name")
    key = f"{KIND}:{study.pk}:{request.name}"
    return ask_for_job(KIND, key, study=study, user=user, parameters=asdict(request))


def run_train_lexicon(job: Job, progress: Progress) -> dict[str, Any]:
    """Do a job that trains a lexicon; done again it finds the same one."""
    request, study = LexiconRequest.from_dict(job.parameters), job.study
    if study is None:
        raise JobError("the study of this lexicon no longer exists")
    with as_job_errors():
        progress.report("reading texts")
        make = _modifiers if request.words == MODIFIERS else _typical_words
        entries, of = make(study, request, progress)
        progress.check()
        lexicon = keep_lexicon(study, request.name, entries, job.created_by)
    return {
        "lexicon": lexicon.pk,
        "notes": [f"{lexicon.name}: {len(entries):,} words{of}"],
        "link": reverse("study-lexicon", args=[study.slug, lexicon.pk]),
    }


def _typical_words(
    study: Study, request: LexiconRequest, progress: Progress
) -> tuple[list[LexiconEntry], str]:
    labelled, _ = deduplicated(_labelled(study, request, progress))
    check_trainable(labelled)
    weights = word_weights(
        labelled, strength=request.strength, fewest=request.fewest, report=progress.report
    )
    words = style_words(weights, request.deviations)
    if not words:
        raise TrainingError(
            "no word is typical enough of a style; give more texts, or fewer deviations"
        )
    entries = [LexiconEntry(each.word, each.style, each.weight) for each in words]
    return entries, f" of {len(weights.words):,}"


def _modifiers(
    study: Study, request: LexiconRequest, progress: Progress
) -> tuple[list[LexiconEntry], str]:
    texts = (_labelled(study, request, progress) if request.path else study_texts(study)).texts
    words = modifiers(texts, fewest=request.fewest, report=progress.report)
    if not words:
        raise TrainingError(
            f"no adjective or adverb occurs in {request.fewest} texts; are these texts English?"
        )
    return [LexiconEntry(each.word) for each in words], " that are adjectives or adverbs"


def keep_lexicon(
    study: Study, name: str, entries: Sequence[LexiconEntry], actor: User | None
) -> StyleLexicon:
    """Store a lexicon under a new name, and who made it; one with the same entries is found.

    Raises
    ------
    LexiconError
        If the name is taken by other entries.
    """
    with transaction.atomic():
        lexicon, created = store_lexicon(study, name, entries)
        if created:
            Study.objects.filter(pk=study.pk).update(revision=study.revision + 1)
            AuditEntry.record(
                study,
                actor,
                "store lexicon",
                name,
                after={"sha256": lexicon.sha256, "entries": len(entries)},
            )
    return lexicon


def _labelled(study: Study, request: LexiconRequest, progress: Progress) -> LabelledTexts:
    if request.path:
        return uploaded_corpus(request.path, request.columns, progress)[0]
    own = study_texts(study)
    said = [row for row, style in enumerate(own.styles) if style]
    return LabelledTexts.of([own.texts[row] for row in said], [own.styles[row] for row in said])
