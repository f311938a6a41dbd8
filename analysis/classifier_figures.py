"""The picture of how far a trained classifier is right when it is sure."""

from collections.abc import Mapping
from typing import Any

from analysis.charts.chart import Chart
from analysis.charts.lines import reliability_diagram
from analysis.charts.table import Row


def reliability(name: str, report: Mapping[str, Any]) -> Chart:
    """Draw a classifier's held-out texts by the probability of their predicted style.

    Parameters
    ----------
    name
        Of the model.
    report
        The dictionary of its evaluation, see `metrics.styles.evaluation.Classification`.
    """
    return reliability_diagram(
        [_bin(each) for each in report["bins"] if each["texts"]],
        title=f"Calibration of {name}",
        subtitle=f"{report['texts']:,} held-out texts; Wilson's 95 % intervals",
    )


def _bin(found: Mapping[str, Any]) -> Row:
    from scipy.stats import binomtest

    texts = found["texts"]
    interval = binomtest(round(found["accuracy"] * texts), texts).proportion_ci(method="wilson")
    return {
        "lowest": found["low"],
        "highest": found["high"],
        "confidence": found["confidence"],
        "accuracy": found["accuracy"],
        "n": texts,
        "low": float(interval.low),
        "high": float(interval.high),
    }
