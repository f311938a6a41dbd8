"""What a trained style classifier makes of texts before it decides."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.models import TrainedModel
from metrics.resources.attributors import loaded_classifier
from metrics.resources.trained_models import folder_of, stored_classifier
from metrics.scorers.scorer import Unavailable
from metrics.styles import lstm, ngram_vectors, text_cnn, transformer
from metrics.styles.word_network import WordNetwork

KINDS = (transformer.KIND, text_cnn.KIND, lstm.KIND, ngram_vectors.KIND)
"""Kinds of classifiers whose last layer reads one vector of each text."""


def has_representations(model: TrainedModel) -> bool:
    """Whether texts can be seen as a model sees them: one network, not one of each fold."""
    return model.kind in KINDS and not model.settings.get("folds")


def representations(model: TrainedModel, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return what the last layer of a model reads of each text, shape (texts, size).

    Raises
    ------
    Unavailable
        If the model's files are gone or its last layer does not read one vector.
    """
    if model.kind == transformer.KIND:
        return loaded_classifier(folder_of(model), model.sha256).representations(texts)
    [network] = stored_classifier(model).models
    if not isinstance(network, WordNetwork):
        raise Unavailable(f"model {model.name}: its last layer does not read one vector of a text")
    return network.representations(texts)
