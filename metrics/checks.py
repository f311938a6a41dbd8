"""System checks: metrics whose names are taken, and libraries that are not there."""

from typing import Any

from django.core.checks import CheckMessage, Info, Tags, Warning, register

from metrics.runs.requests import missing_words
from metrics.scorers.registry import collisions, scorers
from metrics.writers.registry import faults


@register(Tags.compatibility)
def metrics_without_a_place(**options: Any) -> list[CheckMessage]:
    """Warn of metrics and writers of other packages that could not be taken."""
    words = (*collisions(), *faults())
    return [Warning(f"{each}.", id="metrics.W001") for each in words]


@register(Tags.compatibility, deploy=True)
def metrics_without_their_libraries(**options: Any) -> list[CheckMessage]:
    """Say which metrics are not available here; with `check --deploy`, for it may be on purpose."""
    return [
        Info(f"{key} is not available: {missing_words(library)}.", id="metrics.I001")
        for key, scorer in scorers().items()
        for library in scorer.spec.libraries
        if library.version() is None
    ]
