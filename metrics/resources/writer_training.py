"""Fine-tuning writers on the pairs of a study's training split."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.jobs.progress import Progress
from corpus.models import Job, Output, Study, System
from corpus.texts.splits import Splits, study_splits
from corpus.vocabulary.split_names import TEST
from metrics.models import WRITER, TrainedModel
from metrics.resources.loaders import WEIGHTS
from metrics.resources.training import ROWS_AT_ONCE, NewModel, Prepared, Training, run_training
from metrics.scorers.spec import Value
from metrics.styles.labelled import TrainingError, text_key
from metrics.tuning.pairs import DividedPairs, TrainingPair, divided
from metrics.tuning.stored import save
from metrics.tuning.tune import Tuned, read_settings, tune

LEFT_OUT = {
    "of_test": "of the test split",
    "like_test": "with a text that is also in the test split",
    "in_no_split": "of segments in no split",
    "empty": "without source or reference",
    "repeated": "that are repeated",
    "like_valid": "for training whose source is in the validation split",
    "too_long": "longer than the tokens that are read",
}
"""Reasons in words, after "pairs"."""


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


@dataclass(frozen=True)
class WriterTraining(Training):
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

    job_kind = "train-writer"
    action = "fine-tune writer"
    page = "study-writer-model"
    quality = staticmethod(training_words)
    settings: Mapping[str, Any] = field(default_factory=dict)
    held_out: float = 0.1
    seed: int = 0

    def read(self) -> dict[str, Value]:
        """Return every setting, defaults filled in.

        Raises
        ------
        TrainingError, ParameterError
            If it makes no sense.
        """
        super().check(None)
        if not 0 < self.held_out < 1:
            raise TrainingError(f"held out: found {self.held_out}, expected between 0 and 1")
        return read_settings(self.settings)

    def check(self, study: Study | None) -> None:
        """See `Training.check`."""
        self.read()
        if study is None or not study_splits(study):
            raise TrainingError(
                "no segment says its split: give segments an attribute split with train, "
                "validation and test, so that nothing of the test split is trained on"
            )

    def prepare(self, job: Job, progress: Progress) -> Prepared:
        """See `Training.prepare`."""
        study, read = job.study, self.read()
        if study is None:
            raise TrainingError("the study of this training no longer exists")
        progress.report("reading pairs")
        splits = study_splits(study)
        pairs = divided(
            study_pairs(study, splits),
            texts_of_test(study, splits),
            share=self.held_out,
            seed=self.seed,
        )

        def train() -> NewModel:
            cache = settings.DATA_DIR / WEIGHTS
            tuned = tune(pairs, read, self.seed, progress.report, cache)
            return _new_model(job, tuned, pairs)

        decided = {**read, "seed": self.seed, "held_out": self.held_out}
        return Prepared(WRITER, pairs.sha256, decided, train)

    @staticmethod
    def left_out(report: Mapping[str, Any]) -> list[str]:
        """See `Training.left_out`."""
        return [
            f"{report['left_out'][name]:,} pairs {words} were left out."
            for name, words in LEFT_OUT.items()
            if report["left_out"].get(name)
        ]


def run_train_writer(job: Job, progress: Progress) -> dict[str, Any]:
    """Do a job that fine-tunes a writer."""
    return run_training(WriterTraining.from_dict(job.parameters), job, progress)


def _new_model(job: Job, tuned: Tuned, pairs: DividedPairs) -> NewModel:
    used = pairs.train + pairs.valid
    details = {
        "data_sha256": pairs.sha256,
        "seen": sorted({sha256(pair.source.encode()).hexdigest() for pair in used}),
        "directions": sorted({(pair.source_style, pair.target_style) for pair in pairs.train}),
    }
    styles = sorted({pair.target_style for pair in pairs.train})
    return NewModel(
        f"writer-{job.pk}", lambda folder: save(tuned, folder, details), styles, tuned.report()
    )


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


def fine_tuned_writers(study: Study) -> dict[str, Path]:
    """Return the folders of a study's fine-tuned writers by name."""
    rows = TrainedModel.objects.writers().filter(study=study).values_list("name", "path")
    return {name: Path(settings.MEDIA_ROOT) / path for name, path in rows}
