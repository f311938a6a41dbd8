"""Language models by style as folders below the folder of files; every study may use them."""

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from django.conf import settings

from corpus.models import Study
from metrics.language_models import lstm_by_style, ngram_by_style
from metrics.language_models.lstm_by_style import LstmByStyle
from metrics.language_models.ngram_by_style import NgramsByStyle
from metrics.resources.loaders import ResourceError, TrainedThing
from metrics.styles.labelled import LabelledTexts, TrainingError

FOLDER = "language-models"
NGRAMS, LSTM = "ngrams", "lstm"
TITLES = {NGRAMS: "n-gram model", LSTM: "LSTM language model"}
"""The kinds of models of which there is one a style, and what they are called."""
_NAME = re.compile(r"\w[\w.-]{0,99}")
_MANIFESTS = {NGRAMS: ngram_by_style.MANIFEST, LSTM: lstm_by_style.MANIFEST}
ByStyle = NgramsByStyle | LstmByStyle
Write = Callable[[Mapping[str, Sequence[str]], Path], None]
"""Trains on the texts of each style and writes the models into an empty folder."""


def stored_models(kind: str = NGRAMS) -> dict[str, Path]:
    """Return the names of trained models of a kind, each with its folder."""
    folder = Path(settings.MEDIA_ROOT) / FOLDER
    found = sorted(path.parent for path in folder.glob(f"*/{_MANIFESTS[kind]}"))
    return {path.name: path for path in found if not path.name.startswith(".")}


def train(name: str, texts: LabelledTexts, kind: str, write: Write) -> ByStyle:
    """Train a model of each style and store them under a name, whole or not at all.

    Raises
    ------
    TrainingError
        If the name is taken or cannot be that of a folder, or a style has too few texts.
    """
    if not _NAME.fullmatch(name):
        raise TrainingError(f"name {name!r}: letters, digits, - . and _ only, at most 100")
    for other, title in TITLES.items():
        if name in stored_models(other):
            article = "an" if title[0] in "nL" else "a"
            raise TrainingError(f"there is {article} {title} {name!r} already: choose another name")
    by_style = {
        style: [text for text, each in zip(texts.texts, texts.columns, strict=True) if each == n]
        for n, style in enumerate(texts.styles)
    }
    folder = Path(settings.MEDIA_ROOT) / FOLDER / name
    unfinished = folder.with_name(f".{name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        write(by_style, unfinished)
        unfinished.rename(folder)
    except ValueError as error:
        raise TrainingError(str(error)) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return _opened(kind, folder)


def language_model(study: Study, name: str) -> TrainedThing:
    """Find an n-gram model for metric runs; see `metrics.resources.loaders.Loader`."""
    return _found(NGRAMS, name, "train one with manage.py train_ngrams")


def lstm_language_model(study: Study, name: str) -> TrainedThing:
    """Find an LSTM language model for metric runs."""
    return _found(LSTM, name, "train one with manage.py train_language_model --kind lstm")


def _found(kind: str, name: str, to_train: str) -> TrainedThing:
    title = TITLES[kind]
    models = {key: _opened(kind, path) for key, path in stored_models(kind).items()}
    if not models:
        raise ResourceError(f"there is no {title} yet: {to_train}")
    if not name and len(models) > 1:
        raise ResourceError(f"there are several {title}s; choose one of {', '.join(models)}")
    for key, model in models.items():
        if name in ("", key) or (len(name) >= 8 and model.sha256.startswith(name)):
            return TrainedThing(key, model.sha256, model)
    raise ResourceError(f"there is no {title} {name!r}; there are {', '.join(models)}")


def _opened(kind: str, folder: Path) -> ByStyle:
    return NgramsByStyle(folder) if kind == NGRAMS else LstmByStyle(folder)
