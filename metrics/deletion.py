"""Removing what this room holds of a study: scores, runs, models trained on it."""

import shutil

from corpus.models import Output, Study
from corpus.storage.permitting import remove_rows
from metrics.models import (
    JudgeAnswer,
    Metric,
    MetricRun,
    ScoreBlock,
    SystemScore,
    TrainedModel,
    Undefined,
    WordAttributions,
    WrittenText,
)
from metrics.resources.stored_embeddings import delete_embeddings
from metrics.resources.trained_models import folder_of


def delete_of_study(study: Study) -> None:
    """Delete scores, runs, metrics, texts in writing, answers, embeddings, models, attributions.

    Attributions are stored by text, for all studies: those of texts that others have too stay.
    """
    remove_rows(WrittenText.objects.filter(study=study))
    remove_rows(Undefined.objects.filter(run__study=study))
    remove_rows(SystemScore.objects.filter(run__study=study))
    remove_rows(ScoreBlock.objects.filter(run__study=study))
    remove_rows(MetricRun.objects.filter(study=study))
    remove_rows(Metric.objects.filter(study=study))
    remove_rows(JudgeAnswer.objects.filter(study=study))
    for model in TrainedModel.objects.filter(study=study):
        if not TrainedModel.objects.filter(path=model.path).exclude(pk=model.pk).exists():
            shutil.rmtree(folder_of(model), ignore_errors=True)
        model.delete()
    delete_embeddings(study.pk)
    mine = Output.objects.filter(study=study).values("sha256")
    others = Output.objects.exclude(study=study).values("sha256")
    attributed = WordAttributions.objects.filter(text_sha256__in=mine)
    remove_rows(attributed.exclude(text_sha256__in=others))
