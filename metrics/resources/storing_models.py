"""Storing a trained model: its files first, then its row, so that no row is without its files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from corpus.models import AuditEntry, Job, Study
from metrics.models import TrainedModel
from metrics.styles.labelled import TrainingError


def check_name(study: Study | None, name: str) -> None:
    """Raise `TrainingError` if another model of the study, or of all, has this name."""
    if TrainedModel.objects.filter(study=study, name=name).exists():
        raise TrainingError(
            f"there is a model {name!r} of other texts or settings; choose another name"
        )


def store_model(
    job: Job,
    folder: Path,
    action: str,
    quality: Callable[[TrainedModel], dict[str, Any]],
    **facts: Any,
) -> TrainedModel:
    """Store the row of a model whose files are written; they are removed if it cannot be.

    Parameters
    ----------
    job
        That trained it, for the study `job.study`, or for all.
    folder
        Its files.
    action
        What the record of changes calls this.
    quality
        Says for the record how good the model is.
    **facts
        Fields of the row.

    Raises
    ------
    TrainingError
        If the name was taken meanwhile.
    """
    study = job.study
    path = str(folder.relative_to(settings.MEDIA_ROOT))
    try:
        with transaction.atomic():
            check_name(study, facts["name"])
            model = TrainedModel.objects.create(study=study, path=path, **facts)
            if study is not None:
                after = {"sha256": model.sha256, **quality(model)}
                AuditEntry.record(study, job.created_by, action, model.name, after=after)
    except BaseException:
        # Another job may have stored the same model meanwhile; then the files are its own.
        if not TrainedModel.objects.filter(path=path).exists():
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return model
