"""Training models: what style models and writers share, from the request to the stored model."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from corpus.jobs.progress import Progress
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import AuditEntry, Job, Study
from corpus.tabular.problems import TableError
from corpus.texts.lexicons import LexiconError
from metrics.models import TrainedModel
from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import ParameterError
from metrics.styles.labelled import TrainingError

ROWS_AT_ONCE = 2000


@dataclass(frozen=True)
class NewModel:
    """A model that was trained and is not stored yet.

    Attributes
    ----------
    folder
        Name of its folder among those of the study's models.
    save
        Writes its files there, and returns its SHA-256.
    styles, report
        Of the row that describes it.
    """

    folder: str
    save: Callable[[Path], str]
    styles: list[str]
    report: dict[str, Any]


@dataclass(frozen=True)
class Prepared:
    """Texts that were read: what decides the model, and the training itself."""

    kind: str
    data_sha256: str
    settings: dict[str, Any]
    train: Callable[[], NewModel]


@dataclass(frozen=True)
class Training(ABC):
    """A model to be trained; subclasses say how.

    Parameters
    ----------
    name
        What it will be called.
    """

    job_kind: ClassVar[str]
    action: ClassVar[str]
    """What the record of changes calls it."""
    page: ClassVar[str]
    """Name of the address of a model's page."""
    name: str

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters of a job."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(**data)

    def check(self, study: Study | None) -> None:
        """Raise `TrainingError` or `ParameterError` for what can be seen before training."""
        if not self.name.strip():
            raise TrainingError("a model needs a name")

    @abstractmethod
    def prepare(self, job: Job, progress: Progress) -> Prepared:
        """Read the texts."""

    @staticmethod
    @abstractmethod
    def quality(report: Mapping[str, Any]) -> str:
        """Say in a sentence how good a trained model is."""

    @staticmethod
    @abstractmethod
    def left_out(report: Mapping[str, Any]) -> list[str]:
        """Say what was not trained on, and why."""


def training_key(study: Study | None, training: Training) -> str:
    """Name what must not be trained twice at a time."""
    return f"{training.job_kind}:{study.pk if study else 'shared'}:{training.name}"


def ask_for_training(study: Study, training: Training, user: User | None) -> Job:
    """Queue the training of a study's model.

    Raises
    ------
    TrainingError, ParameterError
        If it cannot work like this.
    JobActive
        If a model of this name is being trained.
    """
    training.check(study)
    return ask_for_job(
        training.job_kind,
        training_key(study, training),
        study=study,
        user=user,
        parameters=training.to_dict(),
    )


def run_training(training: Training, job: Job, progress: Progress) -> dict[str, Any]:
    """Do a training job; what is trained already is found, not trained again."""
    study = job.study
    with as_job_errors():
        prepared = training.prepare(job, progress)
        alike = TrainedModel.objects.filter(
            study=study, kind=prepared.kind, data_sha256=prepared.data_sha256
        )
        model = next((each for each in alike if each.settings == prepared.settings), None)
        is_new = False
        if model is None:
            check_name(study, training.name)
            new = prepared.train()
            progress.check()
            model, is_new = store_model(training, job, prepared, new)
    notes = [f"{model.name}: {training.quality(model.report)}", *training.left_out(model.report)]
    if not is_new:
        notes.insert(
            1, f"The same texts and settings gave {model.name} before; nothing was trained."
        )
    return {
        "model": model.pk,
        "sha256": model.sha256,
        "is_new": is_new,
        "notes": notes,
        "link": reverse(training.page, args=[study.slug, model.pk]) if study else "",
    }


@contextmanager
def as_job_errors() -> Iterator[None]:
    """Raise what stops a training as `JobError`, with the problems of its file."""
    try:
        yield
    except (TrainingError, ParameterError, LexiconError, Unavailable) as error:
        raise JobError(str(error)) from None
    except TableError as error:
        problems = [problem.to_dict() for problem in error.problems]
        raise JobError(
            "the labelled texts cannot be read",
            {"problems": problems, "problems_total": len(problems)},
        ) from None


def check_name(study: Study | None, name: str) -> None:
    """Raise `TrainingError` if another model of the study, or of all, has this name."""
    if TrainedModel.objects.filter(study=study, name=name).exists():
        raise TrainingError(
            f"there is a model {name!r} of other texts or settings; choose another name"
        )


def store_model(
    training: Training, job: Job, prepared: Prepared, new: NewModel
) -> tuple[TrainedModel, bool]:
    """Store a model, its files first, so that no row is without them; say whether it is new.

    Raises
    ------
    TrainingError
        If the name was taken meanwhile.
    """
    study = job.study
    path = f"models/{study.pk if study else 'shared'}/{new.folder}"
    known = TrainedModel.objects.filter(study=study)
    if same := known.filter(path=path).first():
        return same, False
    folder = Path(settings.MEDIA_ROOT) / path
    folder.parent.mkdir(parents=True, exist_ok=True)
    sha256 = new.save(folder)
    try:
        with transaction.atomic():
            check_name(study, training.name)
            model = TrainedModel.objects.create(
                study=study,
                name=training.name,
                kind=prepared.kind,
                styles=new.styles,
                settings=prepared.settings,
                data_sha256=prepared.data_sha256,
                sha256=sha256,
                report=new.report,
                path=path,
            )
            if study is not None:
                after = {"sha256": sha256, "quality": training.quality(new.report)}
                AuditEntry.record(study, job.created_by, training.action, model.name, after=after)
    except BaseException:
        # Another job may have stored the same model meanwhile; then the files are its own.
        if not TrainedModel.objects.filter(path=path).exists():
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return model, True
