"""All that a report was computed from, packed so that it can be computed again anywhere."""

import hashlib
import io
import json
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from analysis.data.array_files import Arrays, put_together, taken_apart
from analysis.data.arrays import Floats
from analysis.data.judgements import AnnotatorView
from analysis.data.study_data import StudyData
from analysis.models import PublishedValue

NAMES, ARRAYS = "names.json", "arrays.npz"
_PUBLISHED = ("ordinal", "where", "what", "conditions", "conditions_text", "value", "decimals")


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

    Raters are listed by their pseudonyms, with their answers about themselves to the questions
    that are named only. Sufficient statistics of runs are large, and kept only
    for reports that read them.
    """
    names, arrays = taken_apart(data)
    # Asked how, and in which order of the database, no report says; where raters answered
    # about themselves, only what it was asked.
    del names["asked"], arrays["order"]
    names["annotators"] = [_annotator(each, answers) for each in data.judgements.annotators]
    names["runs"] = [asdict(run) | {"content_sha256": data.digest(run)} for run in data.runs]
    names["published"] = [{name: getattr(each, name) for name in _PUBLISHED} for each in published]
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
    kept = {name: answer for name, answer in annotator.about.items() if name in answers}
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
                study = put_together(names, dict(arrays), *_scores(dict(arrays)))
                return study, [PublishedValue(**each) for each in names["published"]]
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError) as error:
        raise InputsError(f"these are no inputs of a report, or damaged ones: {error}") from error


def _scores(arrays: Arrays) -> tuple[dict[int, Floats], dict[int, Floats]]:
    """Return scores, and sufficient statistics, by the primary key of their run."""
    found: dict[str, dict[int, Floats]] = {"scores": {}, "statistics": {}}
    for name, array in arrays.items():
        kind, _, run = name.partition("_")
        if kind in found and run.isdecimal():
            found[kind][int(run)] = array
    return found["scores"], found["statistics"]


def sha256(packed: bytes) -> str:
    """Return the hash under which inputs are known."""
    return hashlib.sha256(packed).hexdigest()
