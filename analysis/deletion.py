"""Removing what this app holds of a study: results, frozen reports, published values, files."""

from analysis.data.laid_down import delete_files
from analysis.models import FrozenReport, PublishedValue, Result
from corpus.models import Study
from corpus.permitting import remove_rows


def delete_of_study(study: Study) -> None:
    """Delete results, frozen reports, published values and the files of its arrays."""
    for model in (Result, FrozenReport, PublishedValue):
        remove_rows(model._default_manager.filter(study=study))
    delete_files(study.pk)
