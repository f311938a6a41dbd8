"""Training style models: the one service behind page and command, and the job that does it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Count
from django.urls import reverse

from corpus.imports.limits import import_limits
from corpus.jobs.progress import Progress
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import JobError
from corpus.lexicons import LexiconError
from corpus.models import Job, Output, Study, System
from corpus.splits import splits_of
from corpus.tabular.problems import TableError
from metrics.models import TrainedModel
from metrics.resources.storing_models import check_name, store_model
from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import ParameterError
from metrics.styles.corpus_file import CorpusColumns, read_corpus
from metrics.styles.evaluation import quality_words
from metrics.styles.kinds import kind_of
from metrics.styles.labelled import LabelledTexts, TrainingError
from metrics.styles.storage import save
from metrics.styles.training import (
    Recipe,
    StudyTexts,
    Trained,
    chosen_texts,
    train_on_corpus,
    train_on_study,
)

KIND = "train-style"
ROWS_AT_ONCE = 2000


@dataclass(frozen=True)
class TrainingRequest:
    """A model to be trained.

    Parameters
    ----------
    name
        What it will be called.
    recipe
        How it is made.
    path
        The file of a labelled corpus; empty for the study's own labels.
    columns
        Where texts and labels stand in it.
    """

    name: str
    recipe: Recipe
    path: str = ""
    columns: CorpusColumns = field(default_factory=CorpusColumns)

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters of a job."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> TrainingRequest:
        """Read what `to_dict` wrote."""
        recipe, columns = Recipe(**data["recipe"]), CorpusColumns.from_dict(data["columns"])
        return cls(data["name"], recipe, data["path"], columns)


def check_request(study: Study | None, request: TrainingRequest) -> None:
    """Raise `TrainingError` or `ParameterError` for what can be seen before any text is read."""
    request.recipe.read()
    request.columns.check()
    if request.path and request.recipe.by_split:
        raise TrainingError(
            "the splits of the study are for its own labels; of a file, name the column of splits"
        )
    if not request.name.strip():
        raise TrainingError("a model needs a name")
    if study is None and not request.path:
        raise TrainingError("give a file of labelled texts, or a study that has labels")


def training_key(study: Study | None, request: TrainingRequest) -> str:
    """Name what must not be trained twice at a time."""
    return f"{KIND}:{study.pk if study else 'shared'}:{request.name}"


def ask_for_training(study: Study, request: TrainingRequest, user: User | None) -> Job:
    """Queue the training of a study's model.

    Raises
    ------
    TrainingError, ParameterError
        If it cannot work like this.
    JobActive
        If a model of this name is being trained.
    """
    check_request(study, request)
    return ask_for_job(
        KIND, training_key(study, request), study=study, user=user, parameters=request.to_dict()
    )


def run_train_style(job: Job, progress: Progress) -> dict[str, Any]:
    """Do a training job; what is trained already is found, not trained again."""
    request = TrainingRequest.from_dict(job.parameters)
    with as_job_errors():
        model, is_new = _trained(job, request, progress)
    return {
        "model": model.pk,
        "sha256": model.sha256,
        "is_new": is_new,
        "notes": _notes(model, is_new),
        "link": _link(model),
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


def sent_corpus(path: str, columns: CorpusColumns, progress: Progress) -> tuple[LabelledTexts, int]:
    """Return the labelled texts of a file that was sent, and how many rows have no label."""
    if not Path(path).exists():
        raise TrainingError("the file of labelled texts is gone; send it again")
    return read_corpus(Path(path), columns, import_limits(), progress.report)


def study_texts(study: Study) -> StudyTexts:
    """Return every text of a study; sources and references with the style that they carry."""
    segments, texts, styles, splits = [], [], [], []
    given = splits_of(study)
    rows = Output.objects.filter(study=study).order_by("ordinal")
    for ordinal, kind, source_style, target_style, segment, text in rows.values_list(
        *("segment__ordinal", "system__kind", "segment__source_style", "segment__target_style"),
        *("segment", "text"),
    ).iterator(chunk_size=ROWS_AT_ONCE):
        segments.append(ordinal)
        texts.append(text)
        carried = {"source": source_style, "reference": target_style}
        styles.append(carried.get(kind, ""))
        splits.append(given.of.get(segment, ""))
    return StudyTexts(segments, texts, styles, splits if given else ())


def own_splits(study: Study) -> list[tuple[str, int]]:
    """Return each split that segments of a study are in, with the number of those segments."""
    return [(split, count) for split, count in splits_of(study).counts().items() if count]


def own_labels(study: Study) -> list[tuple[str, int]]:
    """Return each style that texts of a study carry, with the number of those texts."""
    counts: Counter[str] = Counter()
    for kind, style in (
        (System.Kind.SOURCE, "segment__source_style"),
        (System.Kind.REFERENCE, "segment__target_style"),
    ):
        rows = Output.objects.filter(study=study, system__kind=kind).order_by()
        counts.update(dict(rows.values_list(style).annotate(n=Count("*"))))
    return sorted((style, count) for style, count in counts.items() if style)


def _trained(job: Job, request: TrainingRequest, progress: Progress) -> tuple[TrainedModel, bool]:
    """Train and store, unless the same texts and settings gave a model before."""
    study, recipe = job.study, request.recipe
    progress.report("reading texts")
    if request.path:
        labelled, unlabelled = sent_corpus(request.path, request.columns, progress)
        progress.report("looking for texts of the study")
        texts, left_out = chosen_texts(labelled, recipe, _texts_to_score(study), unlabelled)
        data_sha256 = texts.sha256
    elif study is not None:
        own = study_texts(study)
        data_sha256 = own.sha256_with_splits if recipe.by_split else own.sha256
    else:
        raise TrainingError("the study of this training no longer exists")
    decided = _settings(request)
    same = _same(study, recipe.kind, data_sha256, decided)
    if same is not None:
        return same, False
    check_name(study, request.name)
    if request.path:
        trained = train_on_corpus(texts, left_out, recipe, progress.report)
    else:
        trained = train_on_study(own, recipe, progress.report)
    progress.check()
    return _stored(job, request, trained, decided, data_sha256)


def _settings(request: TrainingRequest) -> dict[str, Any]:
    recipe = request.recipe
    decided: dict[str, Any] = {**recipe.read(), "seed": recipe.seed}
    if recipe.search:
        decided |= {"search": recipe.searched, "trials": recipe.trials}
    if not kind_of(recipe.kind).learns:
        return decided
    if request.path:
        return decided | {"held_out": recipe.held_out, "texts": recipe.texts_drawn}
    if recipe.by_split:
        return decided | {"by_split": True, "held_out": recipe.held_out}
    return decided | {"folds": recipe.folds}


def _texts_to_score(study: Study | None) -> Iterator[str]:
    """Yield the texts that no model may know: of the study, or of all for a shared model."""
    outputs = Output.objects.all() if study is None else Output.objects.filter(study=study)
    yield from outputs.order_by().values_list("text", flat=True).iterator(chunk_size=ROWS_AT_ONCE)


def _same(
    study: Study | None, kind: str, data_sha256: str, decided: dict[str, Any]
) -> TrainedModel | None:
    candidates = TrainedModel.objects.filter(study=study, kind=kind, data_sha256=data_sha256)
    return next((model for model in candidates if model.settings == decided), None)


def _stored(
    job: Job, request: TrainingRequest, trained: Trained, decided: dict[str, Any], data_sha256: str
) -> tuple[TrainedModel, bool]:
    study = job.study
    sha256 = trained.model.sha256
    known = TrainedModel.objects.filter(study=study, sha256=sha256).first()
    if known is not None:
        return known, False
    folder = Path(settings.MEDIA_ROOT) / f"models/{study.pk if study else 'shared'}/{sha256}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    save(trained.model, folder, {"data_sha256": data_sha256})
    model = store_model(
        job,
        folder,
        "train style model",
        lambda model: {"quality": quality_words(model.report)},
        name=request.name,
        kind=request.recipe.kind,
        styles=list(trained.model.styles),
        settings=decided,
        data_sha256=data_sha256,
        sha256=sha256,
        report=trained.report(),
    )
    return model, True


def _notes(model: TrainedModel, is_new: bool) -> list[str]:
    notes = [f"{model.name}: {quality_words(model.report)}"]
    if not is_new:
        notes.append(f"The same texts and settings gave {model.name} before; nothing was trained.")
    left_out = model.report["left_out"]
    if left_out["of_the_study"]:
        notes.append(f"{left_out['of_the_study']:,} texts stand in the study and were left out.")
    if left_out.get("of_other_splits"):
        notes.append(
            f"{left_out['of_other_splits']:,} texts for training also stand in another split and "
            "were left out."
        )
    return notes


def _link(model: TrainedModel) -> str:
    if model.study is None:
        return ""
    return reverse("study-style-model", args=[model.study.slug, model.pk])
