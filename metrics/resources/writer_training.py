"""Fine-tuning writers: the one service behind page, command and API, and the job that does it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from corpus.jobs.progress import Progress
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import Job, Output, Study, System
from corpus.split_names import TEST
from corpus.splits import Splits, splits_of
from metrics.models import WRITER, TrainedModel
from metrics.resources.loaders import WEIGHTS
from metrics.resources.storing_models import check_name, store_model
from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import ParameterError, Value
from metrics.styles.labelled import TrainingError, text_key
from metrics.tuning.pairs import DividedPairs, TrainingPair, divided
from metrics.tuning.stored import save
from metrics.tuning.tune import Tuned, read_settings, tune

KIND = "train-writer"
ROWS_AT_ONCE = 2000


@dataclass(frozen=True)
class WriterTrainingRequest:
    """A model to be fine-tuned on the pairs of a study.

    Parameters
    ----------
    name
        What it will be called.
    settings
        See `metrics.tuning.tune.PARAMETERS`; what is not given has its default.
    held_out
        Share of the training pairs that say when to stop, where there is no validation split.
    seed
        Decides new weights, dropout, the order of pairs, and what is held out.
    """

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    held_out: float = 0.1
    seed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters of a job."""
        return asdict(self)

    def read(self) -> dict[str, Value]:
        """Return every setting, defaults filled in.

        Raises
        ------
        TrainingError, ParameterError
            If it makes no sense.
        """
        if not self.name.strip():
            raise TrainingError("a model needs a name")
        if not 0 < self.held_out < 1:
            raise TrainingError(f"held out: found {self.held_out}, expected between 0 and 1")
        return read_settings(self.settings)


def training_key(study: Study, request: WriterTrainingRequest) -> str:
    """Name what must not be trained twice at a time."""
    return f"{KIND}:{study.pk}:{request.name}"


def check_request(study: Study, request: WriterTrainingRequest) -> None:
    """Raise `TrainingError` or `ParameterError` for what can be seen before training."""
    request.read()
    if not splits_of(study):
        raise TrainingError(
            "no segment says its split: give segments an attribute split with train, validation "
            "and test, so that nothing of the test split is trained on"
        )


def ask_for_writer_training(study: Study, request: WriterTrainingRequest, user: User | None) -> Job:
    """Queue the fine-tuning of a writer.

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


def run_train_writer(job: Job, progress: Progress) -> dict[str, Any]:
    """Do a training job; what is trained already is found, not trained again."""
    request, study = WriterTrainingRequest(**job.parameters), job.study
    if study is None:
        raise JobError("the study of this training no longer exists")
    try:
        model, is_new = _trained(job, study, request, progress)
    except (TrainingError, ParameterError, Unavailable) as error:
        raise JobError(str(error)) from None
    notes = [f"{model.name}: {training_words(model.report)}", *left_out_words(model.report)]
    if not is_new:
        notes.append(f"The same pairs and settings gave {model.name} before; nothing was trained.")
    return {
        "model": model.pk,
        "sha256": model.sha256,
        "is_new": is_new,
        "notes": notes,
        "link": reverse("study-writer-model", args=[study.slug, model.pk]),
    }


def training_words(report: Mapping[str, Any]) -> str:
    """Return in a sentence how the training of a writer went.

    Examples
    --------
    >>> training_words({"trained_on": 900, "texts": 100, "best": 2, "epochs": [
    ...     {"valid_loss": 3.0}, {"valid_loss": 1.5}, {"valid_loss": 1.25}, {"valid_loss": 1.5}]})
    'validation loss 1.250 after epoch 2 of 3, 3.000 before training, on 100 pairs'
    """
    losses = [epoch["valid_loss"] for epoch in report["epochs"]]
    return (
        f"validation loss {losses[report['best']]:.3f} after epoch {report['best']} of "
        f"{len(losses) - 1}, {losses[0]:.3f} before training, on {report['texts']:,} pairs"
    )


LEFT_OUT = {
    "of_test": "of the test split",
    "like_test": "with a text that also stands in the test split",
    "in_no_split": "of segments in no split",
    "empty": "without source or reference",
    "repeated": "that are repeated",
    "like_valid": "for training whose source stands in the validation split",
    "too_long": "longer than the tokens that are read",
}
"""Reasons in words, after "pairs"."""


def left_out_words(report: Mapping[str, Any]) -> list[str]:
    """Say how many pairs were left out, by the reason."""
    return [
        f"{report['left_out'][name]:,} pairs {words} were left out."
        for name, words in LEFT_OUT.items()
        if report["left_out"].get(name)
    ]


def study_pairs(study: Study, splits: Splits) -> Iterator[tuple[str, TrainingPair]]:
    """Yield each source with each of its references, and the split of its segment."""
    sources = Output.objects.filter(study=study, system__kind=System.Kind.SOURCE, variant=1)
    texts = dict(sources.exclude(sha256="").values_list("segment_id", "text"))
    rows = Output.objects.filter(study=study, system__kind=System.Kind.REFERENCE)
    for segment, source_style, target_style, text in (
        rows.exclude(sha256="")
        .order_by("ordinal")
        .values_list("segment_id", "segment__source_style", "segment__target_style", "text")
        .iterator(chunk_size=ROWS_AT_ONCE)
    ):
        pair = TrainingPair(texts.get(segment, ""), text, source_style, target_style)
        yield splits.of.get(segment, ""), pair


def texts_of_test(study: Study, splits: Splits) -> set[str]:
    """Return the keys of all texts of the test split: sources, references and outputs."""
    rows = Output.objects.filter(study=study).order_by().values_list("segment_id", "text")
    return {
        text_key(text)
        for segment, text in rows.iterator(chunk_size=ROWS_AT_ONCE)
        if splits.of.get(segment) == TEST and text.strip()
    }


def _trained(
    job: Job, study: Study, request: WriterTrainingRequest, progress: Progress
) -> tuple[TrainedModel, bool]:
    """Train and store, unless the same pairs and settings gave a model before."""
    read = request.read()
    progress.report("reading pairs")
    splits = splits_of(study)
    pairs = divided(
        study_pairs(study, splits),
        texts_of_test(study, splits),
        share=request.held_out,
        seed=request.seed,
    )
    decided = {**read, "seed": request.seed, "held_out": request.held_out}
    same = TrainedModel.objects.writers().filter(study=study, data_sha256=pairs.sha256)
    for model in same:
        if model.settings == decided:
            return model, False
    check_name(study, request.name)
    cache = settings.DATA_DIR / WEIGHTS
    tuned = tune(pairs, read, request.seed, progress.report, cache)
    progress.check()
    return _stored(job, study, request, tuned, pairs, decided), True


def _stored(
    job: Job,
    study: Study,
    request: WriterTrainingRequest,
    tuned: Tuned,
    pairs: DividedPairs,
    decided: dict[str, Any],
) -> TrainedModel:
    folder = Path(settings.MEDIA_ROOT) / f"models/{study.pk}/writer-{job.pk}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    used = pairs.train + pairs.valid
    seen = sorted({sha256(pair.source.encode()).hexdigest() for pair in used})
    directions = sorted({(pair.source_style, pair.target_style) for pair in pairs.train})
    details = {"data_sha256": pairs.sha256, "seen": seen, "directions": directions}
    digest = save(tuned, folder, details)
    return store_model(
        job,
        folder,
        "fine-tune writer",
        lambda model: {"training": training_words(model.report)},
        name=request.name,
        kind=WRITER,
        styles=sorted({pair.target_style for pair in pairs.train}),
        settings=decided,
        data_sha256=pairs.sha256,
        sha256=digest,
        report=tuned.report(),
    )


def fine_tuned_writers(study: Study) -> dict[str, Path]:
    """Return the folders of a study's fine-tuned writers by name."""
    rows = TrainedModel.objects.writers().filter(study=study).values_list("name", "path")
    return {name: Path(settings.MEDIA_ROOT) / path for name, path in rows}
