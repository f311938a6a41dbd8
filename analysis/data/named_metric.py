"""A metric as the rows of reports name it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from cattrs import override

from analysis.data.selection import MetricColumn


@dataclass(frozen=True, kw_only=True)
class NamedMetric:
    """What names a metric column in a report; rows of metrics extend it.

    Parameters
    ----------
    metric
        Name of the column.
    name
        What the run is called wherever it is named; reports that were stored before have none.
    metric_aspect, metric_family
        What it measures; empty where nothing says.
    compared_to, text_setting
        Which texts it read; empty where there is no choice.
    run
        Signature of the run.
    origin
        Whether it was imported or computed.
    trained
        Name, quality and row of the style models behind its scores; left out where there are none.
    """

    metric: str
    name: str = ""
    metric_aspect: str
    metric_family: str = ""
    compared_to: str
    text_setting: str
    run: str
    origin: str = ""
    trained: Annotated[
        tuple[Mapping[str, str | int | None], ...], override(omit_if_default=True)
    ] = ()


@dataclass(frozen=True, kw_only=True)
class LeftOutMetric(NamedMetric):
    """A metric that a report leaves out, and why."""

    reason: str


def label_of(column: MetricColumn) -> dict[str, Any]:
    """Return the parts of a `NamedMetric` that name a metric column."""
    run = column.run
    return {
        "metric": column.name,
        "name": column.label,
        "metric_aspect": run.aspect,
        "metric_family": "description" if run.describes else run.family,
        "compared_to": run.compared_to,
        "text_setting": run.text_setting,
        "run": run.signature,
        "origin": run.origin,
        "trained": tuple(behind._asdict() for behind in run.trained),
    }
