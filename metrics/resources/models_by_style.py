"""Language models by style as folders below the folder of files; every study may use them."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from corpus.models import Study
from corpus.progress import ProgressCallback
from metrics.language_models.by_style import KINDS, LstmByStyle, ModelsByStyle, NgramsByStyle
from metrics.resources.loaders import ResourceError, TrainedThing
from metrics.scorers.spec import Value
from metrics.styles.labelled import LabelledTexts, TrainingError

FOLDER = "language-models"
_NAME = re.compile(r"\w[\w.-]{0,99}")


def stored_models(kind: type[ModelsByStyle] = NgramsByStyle) -> dict[str, Path]:
    """Return the names of trained models of a kind, each with its folder."""
    folder = Path(settings.MEDIA_ROOT) / FOLDER
    found = sorted(path.parent for path in folder.glob(f"*/{kind.manifest()}"))
    return {path.name: path for path in found if not path.name.startswith(".")}


def train(
    name: str,
    texts: LabelledTexts,
    kind: type[ModelsByStyle],
    chosen: Mapping[str, Value],
    report: ProgressCallback,
) -> ModelsByStyle:
    """Train a model of each style and store them under a name, whole or not at all.

    Raises
    ------
    TrainingError
        If the name is taken or cannot be that of a folder, or a style has too few texts.
    """
    if not _NAME.fullmatch(name):
        raise TrainingError(f"name {name!r}: letters, digits, - . and _ only, at most 100")
    for other in KINDS.values():
        if name in stored_models(other):
            raise TrainingError(f"there is an {other.title} {name!r} already: choose another name")
    by_style = {
        style: [text for text, each in zip(texts.texts, texts.columns, strict=True) if each == n]
        for n, style in enumerate(texts.styles)
    }
    folder = Path(settings.MEDIA_ROOT) / FOLDER / name
    unfinished = folder.with_name(f".{name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        kind.write(by_style, unfinished, chosen, report)
        unfinished.rename(folder)
    except ValueError as error:
        raise TrainingError(str(error)) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return kind(folder)


def language_model(study: Study, name: str) -> TrainedThing:
    """Find an n-gram model for metric runs; see `metrics.resources.loaders.Loader`."""
    return _found(NgramsByStyle, name)


def lstm_language_model(study: Study, name: str) -> TrainedThing:
    """Find an LSTM language model for metric runs."""
    return _found(LstmByStyle, name)


def _found(kind: type[ModelsByStyle], name: str) -> TrainedThing:
    models = {key: kind(path) for key, path in stored_models(kind).items()}
    if not models:
        raise ResourceError(
            f"there is no {kind.title} yet: train one with manage.py train_language_model "
            f"--kind {kind.kind}"
        )
    if not name and len(models) > 1:
        raise ResourceError(f"there are several {kind.title}s; choose one of {', '.join(models)}")
    for key, model in models.items():
        if name in ("", key) or (len(name) >= 8 and model.sha256.startswith(name)):
            return TrainedThing(key, model.sha256, model)
    raise ResourceError(f"there is no {kind.title} {name!r}; there are {', '.join(models)}")
