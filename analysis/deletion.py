"""Removing what this room holds of a study: results, frozen reports, published values."""

from analysis.models import FrozenReport, PublishedValue, Result
from corpus.models import Study
from corpus.permitting import remove_rows


def delete_of_study(study: Study) -> None:
    """Delete results, frozen reports and published values."""
    for model in (Result, FrozenReport, PublishedValue):
        remove_rows(model._default_manager.filter(study=study))
