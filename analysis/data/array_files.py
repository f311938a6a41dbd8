"""A study's arrays apart from their names, and as files that processes share."""

import json
import shutil
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from cattrs import Converter
from django.conf import settings

from analysis.data.arrays import Floats
from analysis.data.judgements import OF_EACH_RATING, AnnotatorView, CampaignView, Judgements
from analysis.data.measures import Asked, Measure
from analysis.data.study_data import RunView, StudyData, SystemColumn

Names = dict[str, Any]
Arrays = dict[str, Any]
_OF_STUDY = (
    *("segment_of_output", "column_of_output", "variant_of_output", "source_words"),
    "kind_of_output",
)
_PLAIN = (
    *("study_slug", "segment_keys", "source_styles", "target_styles", "segment_attributes"),
    *("ratings_sha256", "has_withdrawn"),
)


_LISTS: dict[str, type] = {
    "systems": SystemColumn,
    "campaigns": CampaignView,
    "annotators": AnnotatorView,
    "categories": str,
    "measures": Measure,
    "asked": Asked,
    "runs": RunView,
    "system_runs": RunView,
}
_converter = Converter(detailed_validation=False)


def taken_apart(data: StudyData) -> tuple[Names, Arrays]:
    """Return all of a study but its scores, which stay with their runs: names, and arrays."""
    judged = data.judgements
    lists = {name: getattr(data if hasattr(data, name) else judged, name) for name in _LISTS}
    names: Names = {name: getattr(data, name) for name in _PLAIN} | _converter.unstructure(lists)
    arrays: Arrays = {name: getattr(data, name) for name in _OF_STUDY}
    arrays |= {f"judgements_{name}": getattr(judged, name) for name in OF_EACH_RATING}
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
    names = {"asked": (), **names}
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value := names[name], list) else value for name in _PLAIN
    }
    lists: dict[str, Any] = {
        name: _converter.structure(names[name], tuple[kind, ...])  # type: ignore[valid-type]
        for name, kind in _LISTS.items()
    }
    of_study = {name: lists.pop(name) for name in ("systems", "runs", "system_runs")}
    judged = {name: arrays[f"judgements_{name}"] for name in OF_EACH_RATING}
    return StudyData(
        **plain,
        **of_study,
        **{name: arrays[name] for name in _OF_STUDY},
        **({"_order": arrays["order"]} if "order" in arrays else {}),
        judgements=Judgements(**lists, **judged),
        _scores=scores,
        _statistics=statistics,
    )


STATES_KEPT = 3
"""States of a study that stay: with and without withdrawn work, and one before."""
SECONDS_TO_LAY_DOWN = 3600
COLUMNS_KEPT = 3
"""Columns of a number for each segment that stay."""
_NAMES, _COLUMN = "names.json", "column-"


def laid_down(
    study: int, published: str, submission: str, *, seconds_ago: float = 0.0
) -> StudyData | None:
    """Return a study in a state from its files, read only; None where there are none.

    Parameters
    ----------
    study
        Its primary key.
    published, submission
        The state: what was published last, and the last submission.
    seconds_ago
        Take the latest state with any last submission, laid down within so many seconds.
    """
    if not seconds_ago:
        return _read(_folder(study) / _name(published, submission))
    latest = next(iter(_latest_first(_folder(study), _name(published, "*"))), None)
    if latest is None or time.time() - _made_at(latest) > seconds_ago:
        return None
    return _read(latest)


def _read(folder: Path) -> StudyData | None:
    try:
        names = json.loads((folder / _NAMES).read_text(encoding="utf-8"))
        arrays = {path.stem: _mapped(path) for path in folder.glob("*.npy")}
        scores_in = names.pop("scores_in").items()
        scores = {int(run): _mapped(folder.parent / name) for run, name in scores_in}
        return put_together(names, arrays, scores, {})
    except FileNotFoundError:
        # Never laid down, pruned a moment ago, or somebody deleted a part of it.
        shutil.rmtree(folder, ignore_errors=True)
        return None


def lay_down(study: int, published: str, submission: str, data: StudyData) -> None:
    """Write a study's arrays in this state; delete the files of states long gone."""
    folder = _folder(study)
    folder.mkdir(parents=True, exist_ok=True)
    names, arrays = taken_apart(data)
    names["scores_in"] = {run.pk: _write_scores(folder, data, run) for run in data.runs}
    with tempfile.TemporaryDirectory(prefix="unfinished-", dir=folder) as name:
        unfinished = Path(name, "state")
        unfinished.mkdir()
        for key, array in arrays.items():
            np.save(unfinished / f"{key}.npy", array, allow_pickle=False)
        text = json.dumps(names, ensure_ascii=False)
        (unfinished / _NAMES).write_text(text, encoding="utf-8")
        try:
            unfinished.rename(folder / _name(published, submission))
        except OSError:
            # Another process was first: it wrote the same.
            return
    _prune(folder)


def kept_column(study: int, name: str) -> Floats | None:
    """Return a number for each segment that was kept beside a study's arrays; None if it is not."""
    try:
        found: Floats = _mapped(_folder(study) / f"{_COLUMN}{name}.npy")
    except FileNotFoundError:
        return None
    return found


def keep_column(study: int, name: str, column: Floats) -> None:
    """Keep a number for each segment under the hash of what it follows from, and the last few."""
    folder = _folder(study)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / f"{_COLUMN}{name}.npy", column)
    for old in _latest_first(folder, f"{_COLUMN}*.npy")[COLUMNS_KEPT:]:
        old.unlink(missing_ok=True)


def delete_files(study: int) -> None:
    """Delete all files of a study."""
    shutil.rmtree(_folder(study), ignore_errors=True)


def _folder(study: int) -> Path:
    return Path(settings.MEDIA_ROOT, "columns", str(study))


def _name(published: str, submission: str) -> str:
    """Return the name of a state's folder, or the pattern of those with any last submission."""
    parts = (published, submission)
    hashed = (part if part == "*" else sha256(part.encode()).hexdigest()[:24] for part in parts)
    return "-".join(("state", *hashed))


def _mapped(path: Path) -> Any:
    """Return an array of which parts are read when they are needed."""
    return np.load(path, mmap_mode="r", allow_pickle=False)


def _write_scores(folder: Path, data: StudyData, run: RunView) -> str:
    """Write a run's scores in the order of the outputs, once; return the name of the file."""
    order = sha256(data._order.tobytes()).hexdigest()
    of = f"{run.content_sha256} {len(data.segment_of_output)} {order}"
    name = f"scores-{run.pk}-{sha256(of.encode()).hexdigest()[:32]}.npy"
    if not (folder / name).exists():
        _write(folder / name, data.scores(run))
    return name


def _write(path: Path, array: Floats) -> None:
    """Write an array so that it appears under its name when it is whole."""
    with tempfile.NamedTemporaryFile(
        dir=path.parent, prefix="unfinished-", suffix=".npy", delete=False
    ) as file:
        np.save(file, array, allow_pickle=False)
    Path(file.name).replace(path)


def _latest_first(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern), key=_made_at, reverse=True)


def _made_at(path: Path) -> float:
    """Return when a file or folder was written; 0 if another process has just deleted it."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _prune(folder: Path) -> None:
    """Keep the states that were laid down last, and the scores that they name."""
    states = _latest_first(folder, "state-*")
    for old in states[STATES_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    named: set[str] = set()
    for state in states[:STATES_KEPT]:
        with suppress(FileNotFoundError):
            text = (state / _NAMES).read_text(encoding="utf-8")
            named.update(json.loads(text)["scores_in"].values())
    for path in folder.glob("scores-*.npy"):
        # Those written a moment ago may belong to a state that is not whole yet.
        is_old = time.time() - _made_at(path) > SECONDS_TO_LAY_DOWN
        if path.name not in named and is_old:
            path.unlink(missing_ok=True)
