"""Removing what this app holds of a study: results, reports, publications, published values."""

from analysis.data.laid_down import delete_files
from analysis.models import FrozenReport, Publication, PublishedValue, Result
from analysis.publishing.zips import remove_zip
from corpus.models import Study
from corpus.permitting import remove_rows


def delete_of_study(study: Study) -> None:
    """Delete results, reports, publications, published values and the files of its arrays."""
    for publication in Publication.objects.filter(study=study):
        remove_zip(publication)
    for model in (Result, FrozenReport, Publication, PublishedValue):
        remove_rows(model._default_manager.filter(study=study))
    delete_files(study.pk)
