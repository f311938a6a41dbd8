"""Removing what this app holds of a study: results, reports, publications, values, tasks."""

from analysis.data.array_files import delete_files
from analysis.models import (
    CollectionResult,
    CollectionTask,
    FrozenReport,
    Preregistration,
    Publication,
    PublishedValue,
    Result,
)
from analysis.publishing.public_page import remove_zip
from corpus.models import Study
from corpus.storage.permitting import remove_rows


def delete_of_study(study: Study) -> None:
    """Delete results, reports, preregistrations, publications, published values, files of arrays.

    Collections lose their tasks of this study, and what was compared with it.
    """
    for publication in Publication.objects.filter(study=study):
        remove_zip(publication)
    compared = CollectionResult.objects.filter(collection__tasks__study=study)
    found = list(compared.values_list("pk", flat=True).distinct())
    remove_rows(CollectionResult.objects.filter(pk__in=found))
    remove_rows(CollectionTask.objects.filter(study=study))
    for model in (Result, FrozenReport, Preregistration, Publication, PublishedValue):
        remove_rows(model._default_manager.filter(study=study))
    delete_files(study.pk)
