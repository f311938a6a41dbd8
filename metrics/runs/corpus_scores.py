"""Scorers that give the score of many texts together from what a run has stored."""

from collections.abc import Mapping
from typing import Any

from metrics.scorers.registry import UnknownMetric, scorer_class
from metrics.scorers.scorer import Scorer


def stored_scorer(request: Mapping[str, Any], signature: str) -> Scorer | None:
    """Return the scorer of a run that was computed with the metric as it is now.

    Parameters
    ----------
    request
        Of the run; empty of an imported one, which has no scorer.
    signature
        Of the run; it names the revision of the metric.
    """
    if not request:
        return None
    try:
        kind = scorer_class(request["metric"])
    except UnknownMetric:
        return None
    if f"|revision:{kind.spec.revision}|" not in f"{signature}|":
        return None
    return kind(request["parameters"])
