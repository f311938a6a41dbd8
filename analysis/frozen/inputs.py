"""All that a report was computed from, packed so that it can be computed again anywhere."""

import hashlib
import io
import json
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

import numpy as np

from analysis.data.measures import Measure
from analysis.data.study_data import (
    AnnotatorView,
    CampaignView,
    Floats,
    Judgements,
    RunView,
    StudyData,
    SystemColumn,
)
from analysis.models import PublishedValue
from corpus.aspects import aspect_of
from metrics.runs.models_behind import ModelBehind

NAMES, ARRAYS = "names.json", "arrays.npz"
_OF_STUDY = ("segment_of_output", "column_of_output", "variant_of_output", "source_words")
_OF_JUDGEMENTS = (
    *("campaign", "annotator", "aspect", "first", "second", "value", "choice", "side"),
    "seconds",
)
_PUBLISHED = ("ordinal", "where", "what", "conditions", "conditions_text", "value", "decimals")
_PLAIN = (
    *("study_slug", "segment_keys", "source_styles", "target_styles", "segment_attributes"),
    *("kind_of_output", "ratings_sha256", "has_withdrawn"),
)


class InputsError(ValueError):
    """Packed inputs that cannot be read; the message says why."""


def pack(
    data: StudyData,
    published: Sequence[PublishedValue] = (),
    *,
    statistics: bool = False,
    answers: Collection[str] = (),
) -> bytes:
    """Return a zip of names (JSON) and arrays (npz, never pickled) without any text.

    Raters stand in it by their pseudonyms, with their answers about themselves to the questions
    that are named only. Sufficient statistics of runs are large, and kept only
    for reports that read them.
    """
    judged = data.judgements
    names = {name: getattr(data, name) for name in _PLAIN} | {
        "systems": [asdict(system) for system in data.systems],
        "campaigns": [asdict(campaign) for campaign in judged.campaigns],
        "annotators": [_annotator(annotator, answers) for annotator in judged.annotators],
        "measures": [asdict(measure) for measure in judged.measures],
        "runs": [asdict(run) | {"content_sha256": data.digest(run)} for run in data.runs],
        "system_runs": [asdict(run) for run in data.system_runs],
        "published": [{name: getattr(each, name) for name in _PUBLISHED} for each in published],
    }
    arrays: dict[str, Any] = {name: getattr(data, name) for name in _OF_STUDY}
    arrays |= {f"judgements_{name}": getattr(judged, name) for name in _OF_JUDGEMENTS}
    arrays |= {f"scores_{run.pk}": data.scores(run) for run in data.runs}
    if statistics:
        kept = (run for run in data.runs if run.statistics)
        arrays |= {f"statistics_{run.pk}": data.statistics(run) for run in kept}
    table = io.BytesIO()
    np.savez_compressed(table, **arrays)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as bundle:
        for name, content in (
            (NAMES, json.dumps(names, ensure_ascii=False, sort_keys=True).encode()),
            (ARRAYS, table.getvalue()),
        ):
            bundle.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def _annotator(annotator: AnnotatorView, answers: Collection[str]) -> dict[str, Any]:
    kept = {name: said for name, said in annotator.about.items() if name in answers}
    return asdict(replace(annotator, about=kept))


def unpack(packed: bytes) -> tuple[StudyData, list[PublishedValue]]:
    """Return what `pack` was given.

    Raises
    ------
    InputsError
        If it is damaged or something else.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as bundle:
            names = json.loads(bundle.read(NAMES))
            with np.load(io.BytesIO(bundle.read(ARRAYS)), allow_pickle=False) as arrays:
                return _study(names, dict(arrays)), _published(names)
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError) as error:
        raise InputsError(f"these are no inputs of a report, or damaged ones: {error}") from error


def _study(names: dict[str, Any], arrays: dict[str, Any]) -> StudyData:
    runs = _runs(names["runs"])
    statistics: dict[int, Floats] = {
        run.pk: arrays[f"statistics_{run.pk}"] for run in runs if f"statistics_{run.pk}" in arrays
    }
    scores: dict[int, Floats] = {run.pk: arrays[f"scores_{run.pk}"] for run in runs}
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value := names[name], list) else value for name in _PLAIN
    }
    # Reports that were frozen before lengths were kept.
    arrays.setdefault("source_words", np.full(len(names["segment_keys"]), -1, dtype=np.int64))
    return StudyData(
        **plain,
        **{name: arrays[name] for name in _OF_STUDY},
        systems=tuple(_made(SystemColumn, system) for system in names["systems"]),
        judgements=Judgements(
            campaigns=tuple(_made(CampaignView, campaign) for campaign in names["campaigns"]),
            annotators=tuple(_made(AnnotatorView, each) for each in names["annotators"]),
            measures=_measures(names),
            **{name: arrays[f"judgements_{name}"] for name in _OF_JUDGEMENTS},
        ),
        runs=runs,
        system_runs=_runs(names.get("system_runs", ())),
        _scores=scores,
        _statistics=statistics,
    )


def _measures(names: dict[str, Any]) -> tuple[Measure, ...]:
    """Return measures; older files name aspects alone."""
    if "measures" not in names:
        known = [(name, aspect_of(name)) for name in names["aspects"]]
        return tuple(Measure(a.key, a.family, asked_as=name, name=name) for name, a in known)
    return tuple(
        _made(Measure, each, scale=tuple(each["scale"]) if each["scale"] else None)
        for each in names["measures"]
    )


def _runs(packed: Sequence[dict[str, Any]]) -> tuple[RunView, ...]:
    """Return runs; those of older files say nothing of statistics and trained models."""
    lists = ("fields", "statistics")
    return tuple(
        _made(
            RunView,
            run,
            **{name: tuple(run.get(name, ())) for name in lists},
            trained=tuple(ModelBehind(*each) for each in run.get("trained", ())),
        )
        for run in packed
    )


def _made(kind: type[Any], values: dict[str, Any], **changed: Any) -> Any:
    known = {field.name for field in fields(kind)}
    return kind(**({name: value for name, value in values.items() if name in known} | changed))


def _published(names: dict[str, Any]) -> list[PublishedValue]:
    return [PublishedValue(**each) for each in names["published"]]


def sha256(packed: bytes) -> str:
    """Return the hash under which inputs are known."""
    return hashlib.sha256(packed).hexdigest()
