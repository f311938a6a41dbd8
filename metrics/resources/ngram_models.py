"""Trained n-gram models as folders below the folder of files; every study may use them."""

import re
import shutil
from pathlib import Path

from django.conf import settings

from corpus.models import Study
from corpus.progress import ProgressCallback
from metrics.language_models.ngram_by_style import MANIFEST, NgramsByStyle, write_ngrams
from metrics.resources.loaders import ResourceError, TrainedThing
from metrics.styles.labelled import LabelledTexts, TrainingError

FOLDER = "language-models"
_NAME = re.compile(r"\w[\w.-]{0,99}")
_TRAIN = "train one with manage.py train_ngrams"


def stored_models() -> dict[str, Path]:
    """Return the names of trained models, each with its folder."""
    folder = Path(settings.MEDIA_ROOT) / FOLDER
    found = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    return {path.name: path for path in found if not path.name.startswith(".")}


def train(
    name: str, texts: LabelledTexts, *, order: int, report: ProgressCallback
) -> NgramsByStyle:
    """Train a model of each style and store them under a name, whole or not at all.

    Raises
    ------
    TrainingError
        If the name is taken or cannot be that of a folder, or a style has no word.
    """
    if not _NAME.fullmatch(name):
        raise TrainingError(f"name {name!r}: letters, digits, - . and _ only, at most 100")
    if name in stored_models():
        raise TrainingError(f"there is an n-gram model {name!r} already: choose another name")
    by_style = {
        style: [text for text, each in zip(texts.texts, texts.columns, strict=True) if each == n]
        for n, style in enumerate(texts.styles)
    }
    folder = Path(settings.MEDIA_ROOT) / FOLDER / name
    unfinished = folder.with_name(f".{name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        write_ngrams(by_style, unfinished, order=order, report=report)
        unfinished.rename(folder)
    except ValueError as error:
        raise TrainingError(str(error)) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return NgramsByStyle(folder)


def language_model(study: Study, name: str) -> TrainedThing:
    """Find a model for metric runs; see `metrics.resources.loaders.Loader`."""
    models = {key: NgramsByStyle(path) for key, path in stored_models().items()}
    if not models:
        raise ResourceError(f"there is no n-gram model yet: {_TRAIN}")
    if not name and len(models) > 1:
        raise ResourceError(f"there are several n-gram models; choose one of {', '.join(models)}")
    for key, model in models.items():
        if name in ("", key) or (len(name) >= 8 and model.sha256.startswith(name)):
            return TrainedThing(key, model.sha256, model)
    raise ResourceError(f"there is no n-gram model {name!r}; there are {', '.join(models)}")
