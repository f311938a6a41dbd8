"""Contents of reports: what they are computed from, and JSON as the store and files keep them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Self, Union, get_args, get_origin

from cattrs import Converter

from analysis.data.named_metric import LeftOutMetric
from analysis.data.picking import MetricChoice
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import bootstrap_of
from analysis.estimates.correlations import MetricsOfAspect, system_names
from analysis.filter.question import Question
from analysis.models import PublishedValue
from analysis.stats.pieces import Divide, in_turn
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Undefined, result_of
from corpus.progress import ProgressCallback, unreported

Published = Sequence[PublishedValue]


@dataclass(frozen=True)
class Content:
    """What a report computed; a kind of report extends it by the parts that it has.

    Parts are numbers, texts, results of statistics, dataclasses, and tuples and mappings of these.
    A list holds plain values and is taken as it is, without a look at each: for long columns.
    A part with a default value may be missing in what was stored before there was that part.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Means(Content):
    ...     aspects: tuple[str, ...]
    ...     overall: Estimate | Undefined
    >>> means = Means(("style",), Estimate(0.5, n=4))
    >>> Means.from_dict(means.to_dict()) == means
    True
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the content as JSON-able mappings and lists."""
        found: dict[str, Any] = converter().unstructure(self)
        return found

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """Return the content that `to_dict` wrote."""
        return converter().structure(stored, cls)


@dataclass(frozen=True, kw_only=True)
class OfAspect(Content):
    """What a report on the metrics of one aspect computed.

    Parameters
    ----------
    aspect, aspects
        The aspect, and all that the report could be on.
    picked
        Which metrics were taken.
    left_out
        Those that were passed over, with the reason.
    """

    aspect: str
    aspects: tuple[str, ...]
    picked: MetricChoice | None = None
    left_out: tuple[LeftOutMetric, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OfMetrics(OfAspect):
    """What such a report computed over the selected systems and segments."""

    systems: tuple[str, ...]
    segments: int


def facts_of(data: StudyData, metrics: MetricsOfAspect) -> dict[str, Any]:
    """Return the parts of an `OfMetrics` that say of what it is, without `aspects`."""
    cells = metrics.people.cells
    return {
        "aspect": metrics.people.aspect,
        "picked": metrics.picked.choice,
        "left_out": metrics.left_out,
        "systems": system_names(data, cells),
        "segments": len(cells.segments),
    }


@cache
def converter() -> Converter:
    """Return what writes parts of contents as JSON and reads them back."""
    converter = Converter(unstruct_collection_overrides={tuple: list})
    for result in (Estimate, Undefined):
        converter.register_unstructure_hook(result, result.to_dict)
    converter.register_structure_hook_factory(_may_be_undefined, _reading)
    # What a union or a list of plain values holds, JSON holds as it is.
    converter.register_structure_hook_func(_is_plain, lambda stored, _: stored)
    converter.register_unstructure_hook_func(_is_plain, lambda part: part)
    return converter


def _may_be_undefined(annotation: Any) -> bool:
    """Whether a part is a result, or a dataclass or an undefined result in its place."""
    return Undefined in _members(annotation)


def _reading(annotation: Any) -> Callable[[Any, Any], Any]:
    """Return what reads a part that may be undefined, or missing."""
    other = next(iter(set(_members(annotation)) - {Estimate, Undefined, NoneType}), None)

    def read(stored: Any, _: Any) -> Any:
        if not stored or other is None or stored["kind"] == "undefined":
            return stored and result_of(stored)
        return converter().structure(stored, other)

    return read


def _is_plain(annotation: Any) -> bool:
    """Whether a part is a list, or one of several kinds of plain values, such as a number."""
    members = set(_members(annotation))
    plain = bool(members) and members <= {str, int, float, bool, NoneType}
    return plain or get_origin(annotation) is list


def _members(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else ()


@dataclass(frozen=True)
class Asked:
    """What a report is computed from.

    Parameters
    ----------
    data
        The study as arrays, with the ratings that the question is about.
    question
    published
        The published values of the study; of replication reports only.
    progress
        Is called with how far a long computation is.
    early
        Whether values alone are wanted, which a page shows while a job computes the rest.
    divide
        Computes what comes in pieces, once for a report; a job offers them to all workers.
    """

    data: StudyData
    question: Question
    published: Published = ()
    progress: ProgressCallback = unreported
    early: bool = False
    divide: Divide = in_turn

    @property
    def bootstrap(self) -> Bootstrap:
        """How intervals are drawn: not at all where values alone are wanted."""
        return Bootstrap(0) if self.early else bootstrap_of(self.question)
