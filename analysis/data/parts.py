"""A study as arrays, taken apart into names that JSON keeps and arrays, and put together again."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from analysis.data.arrays import Floats
from analysis.data.judgements import AnnotatorView, CampaignView, Judgements
from analysis.data.measures import Asked, Measure
from analysis.data.study_data import RunView, StudyData, SystemColumn
from metrics.runs.models_behind import ModelBehind

Names = dict[str, Any]
Arrays = dict[str, Any]
_OF_STUDY = (
    *("segment_of_output", "column_of_output", "variant_of_output", "source_words"),
    "kind_of_output",
)
_OF_JUDGEMENTS = (
    *("campaign", "annotator", "aspect", "first", "second", "value", "choice", "side"),
    "seconds",
)
_PLAIN = (
    *("study_slug", "segment_keys", "source_styles", "target_styles", "segment_attributes"),
    *("ratings_sha256", "has_withdrawn"),
)


def taken_apart(data: StudyData) -> tuple[Names, Arrays]:
    """Return all of a study but its scores, which stay with their runs: names, and arrays."""
    judged = data.judgements
    names: Names = {name: getattr(data, name) for name in _PLAIN} | {
        "systems": [asdict(system) for system in data.systems],
        "campaigns": [asdict(campaign) for campaign in judged.campaigns],
        "annotators": [asdict(annotator) for annotator in judged.annotators],
        "categories": judged.categories,
        "measures": [asdict(measure) for measure in judged.measures],
        "asked": [asdict(asked) for asked in judged.asked],
        "runs": [asdict(run) for run in data.runs],
        "system_runs": [asdict(run) for run in data.system_runs],
    }
    arrays: Arrays = {name: getattr(data, name) for name in _OF_STUDY}
    arrays |= {f"judgements_{name}": getattr(judged, name) for name in _OF_JUDGEMENTS}
    arrays["order"] = data._order
    return names, arrays


def put_together(
    names: Names, arrays: Arrays, scores: dict[int, Floats], statistics: dict[int, Floats]
) -> StudyData:
    """Return the study that `taken_apart` was given, with the scores of runs that are known.

    Inputs of frozen reports lack the order and what was asked.

    Raises
    ------
    KeyError, TypeError, ValueError
        If something is missing or of another type.
    """
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value := names[name], list) else value for name in _PLAIN
    }
    return StudyData(
        **plain,
        **{name: arrays[name] for name in _OF_STUDY},
        systems=tuple(_made(SystemColumn, system) for system in names["systems"]),
        judgements=Judgements(
            campaigns=tuple(_made(CampaignView, campaign) for campaign in names["campaigns"]),
            annotators=tuple(_made(AnnotatorView, each) for each in names["annotators"]),
            measures=_measures(names),
            **{name: arrays[f"judgements_{name}"] for name in _OF_JUDGEMENTS},
            categories=tuple(names["categories"]),
            asked=tuple(_made(Asked, each) for each in names.get("asked", ())),
        ),
        runs=_runs(names["runs"]),
        system_runs=_runs(names["system_runs"]),
        **({"_order": arrays["order"]} if "order" in arrays else {}),
        _scores=scores,
        _statistics=statistics,
    )


def _measures(names: dict[str, Any]) -> tuple[Measure, ...]:
    return tuple(
        _made(
            Measure,
            each,
            scale=tuple(each["scale"]) if each["scale"] else None,
            campaigns=tuple(each["campaigns"]),
        )
        for each in names["measures"]
    )


def _runs(packed: Sequence[dict[str, Any]]) -> tuple[RunView, ...]:
    lists = ("fields", "statistics")
    return tuple(
        _made(
            RunView,
            run,
            **{name: tuple(run[name]) for name in lists},
            trained=tuple(ModelBehind(*each) for each in run["trained"]),
        )
        for run in packed
    )


def _made(kind: type[Any], values: dict[str, Any], **changed: Any) -> Any:
    return kind(**values | changed)
