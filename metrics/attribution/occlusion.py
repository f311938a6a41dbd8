"""Occlusion: what a classifier's probability of a style loses when one word is left out."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

import numpy as np

from corpus.texts.masking import places, without_spans
from metrics.attribution.attribution import PIECE, Attribution, Floats
from metrics.scorers.scorer import Classifier

REVISION = 1
"""Grows whenever the same text would get other attributions."""
TEXTS_AT_ONCE = 64
VARIANTS_AT_ONCE = 512
"""Texts without one word that are held at a time: a long text has thousands of its own length."""
SMALLEST = 1e-12
"""Probabilities nearer to 0 or 1 count as this far from it: their log odds would be infinite."""


def occlusion(
    classifier: Classifier, texts: Sequence[str], columns: Sequence[int]
) -> list[Attribution]:
    """Attribute the probability of one style to the words of each text.

    The attribution of a word is ln(p / (1 − p)) of the text less that of the text without the
    word, where p is the probability of the style (leave-one-out: Li, Monroe and Jurafsky 2016).
    Log odds do not flatten near 0 and 1 as probabilities do; of a softmax over two styles they are
    the difference of the logits. It needs nothing but probabilities.

    Parameters
    ----------
    classifier
        Any with two styles or more, whose prediction depends on the text alone.
    texts, columns
        Each text with the column of the style.

    Returns
    -------
    list of Attribution
        One a text, with a piece for each word and sign as `corpus.texts.masking.places` cuts them.
        Its logits are the logarithms of the probabilities; there is no baseline, whose logit is 0.

    Raises
    ------
    ValueError
        If the classifier has no such column, or grades one style.
    """
    count = len(classifier.styles)
    if count < 2:
        raise ValueError("occlusion: a model of one style has no probabilities")
    if wrong := [column for column in columns if not 0 <= column < count]:
        raise ValueError(f"column {wrong[0]}: the classifier has {count}")
    found = list[Attribution]()
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        some = slice(start, start + TEXTS_AT_ONCE)
        found += _occluded(classifier, texts[some], columns[some])
    return found


def _occluded(
    classifier: Classifier, texts: Sequence[str], columns: Sequence[int]
) -> list[Attribution]:
    words = [places(text) for text in texts]
    answers = _predicted(classifier, chain.from_iterable(map(_variants, texts, words)))
    attributions = []
    for spans, column in zip(words, columns, strict=True):
        whole, *without = islice(answers, len(spans) + 1)
        pieces = np.zeros(len(spans), dtype=PIECE)
        for place, (span, row) in enumerate(zip(spans, without, strict=True)):
            value = _log_odds(whole[column]) - _log_odds(row[column])
            pieces[place] = (*span, False, value)
        attributions.append(Attribution(column, pieces, _logarithms(whole), 0.0))
    return attributions


def _predicted(classifier: Classifier, texts: Iterator[str]) -> Iterator[Floats]:
    """Yield the prediction of each text; of equal ones among some, one is asked for."""
    while some := list(islice(texts, VARIANTS_AT_ONCE)):
        different = list(dict.fromkeys(some))
        predicted = classifier.predict(different, [0] * len(different))
        rows = dict(zip(different, predicted, strict=True))
        yield from (rows[text] for text in some)


def _variants(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield a text whole, then without each of its words."""
    yield text
    for span in spans:
        yield without_spans(text, [span])


def _log_odds(probability: float) -> float:
    inside = min(max(float(probability), SMALLEST), 1 - SMALLEST)
    return float(np.log(inside) - np.log1p(-inside))


def _logarithms(probabilities: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(probabilities, SMALLEST)), dtype=np.float64)
