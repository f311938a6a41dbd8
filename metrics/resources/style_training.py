"""Training style models: on a file of labelled texts, or on a study's own labels."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, Self

from django.db.models import Count

from corpus.imports.uploads import import_limits
from corpus.jobs.progress import Progress
from corpus.models import Job, Output, Study, System
from corpus.texts.splits import study_splits
from metrics.resources.training import ROWS_AT_ONCE, NewModel, Prepared, Training, run_training
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


def chosen(dataclass_: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of some values is a field of a dataclass, and not empty."""
    names = {each.name for each in fields(dataclass_)}
    return {n: value for n, value in given.items() if n in names and value not in ("", None)}


def columns_asked(given: Mapping[str, Any]) -> CorpusColumns:
    """Return the columns that are named among the fields of a form."""
    return CorpusColumns(**chosen(CorpusColumns, given))


@dataclass(frozen=True)
class StyleTraining(Training):
    """A style model to be trained.

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

    job_kind = "train-style"
    action = "train style model"
    page = "study-style-model"
    quality = staticmethod(quality_words)
    recipe: Recipe
    path: str = ""
    columns: CorpusColumns = field(default_factory=CorpusColumns)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        recipe, columns = Recipe(**data["recipe"]), CorpusColumns(**data["columns"])
        return cls(data["name"], recipe, data["path"], columns)

    @classmethod
    def asked(cls, given: Mapping[str, Any], path: str = "") -> Self:
        """Return what is asked for by the fields of the form, of which empty ones may lack.

        Parameters
        ----------
        given
            Fields of `metrics.forms.styles.TrainForm`; `settings` has those of the kind.
        path
            The file of a labelled corpus; empty for the study's own labels.
        """
        recipe, columns = Recipe(**chosen(Recipe, given)), columns_asked(given)
        return cls(given["name"], recipe, path, columns)

    def check(self, study: Study | None) -> None:
        """See `Training.check`."""
        self.recipe.read()
        if self.columns.graded and not self.path:
            raise TrainingError("graded: grades need a file of labelled texts")
        self.columns.check()
        if self.path and self.recipe.by_split:
            raise TrainingError(
                "the splits of the study are for its own labels; of a file, name the column of "
                "splits"
            )
        super().check(study)
        if study is None and not self.path:
            raise TrainingError("give a file of labelled texts, or a study that has labels")

    def prepare(self, job: Job, progress: Progress) -> Prepared:
        """See `Training.prepare`."""
        study, recipe = job.study, self.recipe
        progress.report("reading texts")
        if self.path:
            labelled, unlabelled = uploaded_corpus(self.path, self.columns, progress)
            progress.report("looking for texts of the study")
            texts, left_out = chosen_texts(labelled, recipe, _texts_to_score(study), unlabelled)
            data_sha256 = texts.sha256
            train = partial(train_on_corpus, texts, left_out, recipe, progress.report)
        elif study is not None:
            own = study_texts(study)
            data_sha256 = own.sha256_with_splits if recipe.by_split else own.sha256
            train = partial(train_on_study, own, recipe, progress.report)
        else:
            raise TrainingError("the study of this training no longer exists")
        return Prepared(
            recipe.kind, data_sha256, self._settings(), lambda: _new_model(train(), data_sha256)
        )

    def _settings(self) -> dict[str, Any]:
        recipe = self.recipe
        decided: dict[str, Any] = {**recipe.read(), "seed": recipe.seed}
        if not kind_of(recipe.kind).learns:
            return decided
        if self.path:
            return decided | {"held_out": recipe.held_out, "texts": recipe.texts_drawn}
        if recipe.by_split:
            return decided | {"by_split": True, "held_out": recipe.held_out}
        return decided | {"folds": recipe.folds}

    @staticmethod
    def left_out(report: Mapping[str, Any]) -> list[str]:
        """See `Training.left_out`."""
        counts, notes = report["left_out"], []
        if counts["of_the_study"]:
            notes.append(f"{counts['of_the_study']:,} texts stand in the study and were left out.")
        if counts.get("of_other_splits"):
            notes.append(
                f"{counts['of_other_splits']:,} texts for training also stand in another split and "
                "were left out."
            )
        return notes


def run_train_style(job: Job, progress: Progress) -> dict[str, Any]:
    """Do a job that trains a style model."""
    return run_training(StyleTraining.from_dict(job.parameters), job, progress)


def _new_model(trained: Trained, data_sha256: str) -> NewModel:
    def write(folder: Path) -> str:
        return save(trained.model, folder, {"data_sha256": data_sha256})

    return NewModel(trained.model.sha256, write, list(trained.model.styles), trained.report())


def uploaded_corpus(
    path: str, columns: CorpusColumns, progress: Progress
) -> tuple[LabelledTexts, int]:
    """Return the labelled texts of an uploaded file, and how many rows have no label."""
    if not Path(path).exists():
        raise TrainingError("the file of labelled texts is gone; send it again")
    return read_corpus(Path(path), columns, import_limits(), progress.report)


def study_texts(study: Study) -> StudyTexts:
    """Return every text of a study; sources and references with the style that they carry."""
    segments, texts, styles, splits = [], [], [], []
    given = study_splits(study)
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
    return [(split, count) for split, count in study_splits(study).counts().items() if count]


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


def _texts_to_score(study: Study | None) -> Iterator[str]:
    """Yield the texts that no model may know: of the study, or of all for a shared model."""
    outputs = Output.objects.all() if study is None else Output.objects.filter(study=study)
    yield from outputs.order_by().values_list("text", flat=True).iterator(chunk_size=ROWS_AT_ONCE)
