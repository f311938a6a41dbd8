"""The kinds of style models that can be trained, by their names."""

from metrics.styles.labelled import TrainingError
from metrics.styles.linear import BagOfWords, FrozenEmbeddings
from metrics.styles.model import StyleModel
from metrics.styles.transformer import ReadyMade, Transformer
from metrics.styles.word_networks import Lstm, NgramVectors, TextCnn

KINDS: dict[str, type[StyleModel]] = {
    model.kind: model
    for model in (BagOfWords, FrozenEmbeddings, Transformer, NgramVectors, TextCnn, Lstm, ReadyMade)
}
TITLES = {name: model.title for name, model in KINDS.items()}


def kind_of(name: str) -> type[StyleModel]:
    """Return a kind by its name; `TrainingError` that lists them if there is none."""
    try:
        return KINDS[name]
    except KeyError:
        raise TrainingError(f"no kind {name!r}; there are {', '.join(KINDS)}") from None
