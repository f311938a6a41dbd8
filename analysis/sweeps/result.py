"""What a sweep found, as it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis.reports.content import Content
from analysis.stats.results import Result
from analysis.stats.systems.distribution import Distribution


@dataclass(frozen=True, kw_only=True)
class SweptSetting:
    """One number of one setting, compared with human scores.

    Parameters
    ----------
    line
        Name of all settings that differ by the threshold alone.
    number
        Name of the metric's number.
    threshold
        None of plain texts.
    run, run_name, run_signature
        Row, name and signature of the run that scored it.
    orientation
        Whether its scores are oriented.
    missing, why_missing
        Rated outputs without a score, and why the first has none.
    chosen
        Share of the inner choices that fell on it.
    distribution
        How its scores are spread over the outputs that all numbers rest on; sweeps that were
        stored before do not say.
    """

    line: str
    number: str
    threshold: float | None
    run: int
    run_name: str = ""
    run_signature: str
    orientation: str
    missing: int
    why_missing: str
    chosen: float
    result: Result
    distribution: Distribution | None = None


@dataclass(frozen=True, kw_only=True)
class SweepResult(Content):
    """The settings of a sweep, and what choosing the best of them is worth.

    Parameters
    ----------
    sweep
        What was asked for, as `Sweep.to_dict` gave it at that time.
    best
        Place of the setting with the highest correlation.
    honest
        Correlation of the choice on segments held out from it.
    cells, lost
        Outputs that all numbers rest on, and rated ones that some setting has no score for.
    pooled
        Sentences on ratings that are pooled over several campaigns.
    """

    sweep: Mapping[str, Any]
    rows: tuple[SweptSetting, ...]
    trained: tuple[Mapping[str, Any], ...] = ()
    best: int | None
    honest: Result
    cells: int
    lost: int
    ratings_sha256: str
    versions: Mapping[str, str]
    pooled: tuple[str, ...] = ()
