"""Integrated Gradients of one logit of a transformer classifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from corpus.progress import ProgressCallback
from metrics.attribution.attribution import Attribution, Floats
from metrics.attribution.classifier import Baseline, Encoded, Point, TransformerClassifier
from metrics.attribution.quadrature import Integration, Quadrature

REVISION = 1
"""Grows whenever the same text would get other attributions."""
TEXTS_AT_ONCE = 512
"""Texts whose points are held in memory together."""


def integrated_gradients(
    classifier: TransformerClassifier,
    texts: Sequence[str],
    columns: Sequence[int],
    *,
    baseline: Baseline = "keep-special",
    quadrature: Quadrature | None = None,
    report: ProgressCallback | None = None,
) -> list[Attribution]:
    """Attribute one logit of each text to its word pieces.

    The attribution of a piece is the gradient of the logit with respect to the piece's word
    embedding, averaged along the straight path from the baseline's embeddings to the text's, times
    the difference of the two (Sundararajan, Taly and Yan 2017). All attributions of a text sum to
    the difference of the logits.

    Parameters
    ----------
    classifier
        The model.
    texts
        Equal texts with the same column are computed once.
    columns
        The classifier's column to attribute, for each text.
    baseline
        ``keep-special``: [PAD] in place of every piece but special tokens, which therefore get
        no attribution. ``pad-all``: [PAD] in their places too.
    quadrature
        How finely to integrate.
    report
        Is called with the progress.

    Returns
    -------
    list of Attribution
        One a text, in their order.

    Raises
    ------
    ValueError
        If the classifier has no such column.
    Unavailable
        If the model cannot be loaded, or has no padding token.
    """
    for column in set(columns):
        if not 0 <= column < len(classifier.styles):
            raise ValueError(f"column {column}: the classifier has {len(classifier.styles)}")
    rule = quadrature or Quadrature()
    wanted = list(zip(texts, columns, strict=True))
    distinct = list(dict.fromkeys(wanted))
    found: dict[tuple[str, int], Attribution] = {}
    for some in _parts(distinct):
        encoded = classifier.encode([text for text, _ in some])
        attributions = _integrate(
            classifier, encoded, [column for _, column in some], baseline, rule
        )
        found |= zip(some, attributions, strict=True)
        if report:
            report("finding style words", len(found), len(distinct))
    return [found[pair] for pair in wanted]


def _integrate(
    classifier: TransformerClassifier,
    texts: Sequence[Encoded],
    columns: Sequence[int],
    baseline: Baseline,
    quadrature: Quadrature,
) -> list[Attribution]:
    """Integrate along the paths of many texts at a time, each as finely as it needs."""
    integrations = [Integration(quadrature) for _ in texts]
    ends: dict[tuple[int, float], Floats] = {}
    pending = sorted(range(len(texts)), key=lambda row: len(texts[row]))
    while pending:
        asked = [(row, place) for row in pending for place in integrations[row].missing()]
        points = [Point(texts[row], columns[row], place) for row, place in asked]
        slopes = classifier.slopes(points, baseline)
        for (row, place), slope in zip(asked, slopes, strict=True):
            integrations[row].learn(place, float(slope.logits[columns[row]]), slope.pieces)
            if place in (0.0, 1.0):
                ends[row, place] = slope.logits
        pending = [row for row in pending if integrations[row].refine()]
    attributions = []
    for row, (text, column) in enumerate(zip(texts, columns, strict=True)):
        pieces = text.pieces.copy()
        pieces["value"] = integrations[row].integral()
        start = float(ends[row, 0.0][column])
        attributions.append(Attribution(column, pieces, ends[row, 1.0], start, text.left_out))
    return attributions


def _parts(pairs: Sequence[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
    """Cut into parts, shorter texts first, so that lengths within a part are alike."""
    rest = iter(sorted(pairs, key=lambda pair: len(pair[0])))
    while some := list(islice(rest, TEXTS_AT_ONCE)):
        yield some
