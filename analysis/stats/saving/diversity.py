"""How far the outputs of a segment differ from each other.

Zouhar, Cui and Sachan (2025) choose segments whose outputs are least alike, by several measures of
likeness between two texts; here it is the cosine, which takes time in proportion to the texts.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = re.compile(f"[{_IDEOGRAPHS}]|[^\\W{_IDEOGRAPHS}]+")
_NOTHING = ""


def diversity_of_texts(segments: Iterable[Sequence[str]]) -> FloatArray:
    """Return the mean distance between two outputs of each segment, from 0 to 1.

    The distance is 1 less the cosine of both texts' counts of words: runs of letters and digits
    without regard to case, and single characters where a script has no blanks between words.

    Parameters
    ----------
    segments : iterable of sequences of str
        The outputs of each segment.

    Returns
    -------
    ndarray of float
        NaN of a segment with fewer than two outputs. Texts without any word are alike.

    Examples
    --------
    >>> diversity_of_texts([["a b", "A b"], ["a b", "c d"], ["a b", "b c", "a b"]]).round(3)
    array([0.   , 1.   , 0.333])
    """
    return np.array([_mean_distance(texts) for texts in segments])


def diversity_of_vectors(segments: Iterable[npt.ArrayLike]) -> FloatArray:
    """Return the mean of 1 less the cosine of two outputs' vectors, such as sentence embeddings.

    Parameters
    ----------
    segments : iterable of array_like, shape (outputs, size)
        A vector of zeros is unlike every other.

    Examples
    --------
    >>> diversity_of_vectors([[[1, 0], [2, 0]], [[1, 0], [0, 1], [3, 0]]]).round(3).tolist()
    [0.0, 0.667]
    """
    found = []
    for vectors in segments:
        rows = np.asarray(vectors, dtype=np.float64)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        total = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).sum(axis=0)
        found.append(_of_sum(float(total @ total), int((lengths > 0).sum()), len(rows)))
    return np.array(found)


def _mean_distance(texts: Sequence[str]) -> float:
    total: defaultdict[str, float] = defaultdict(float)
    for text in texts:
        counts = Counter(_WORDS.findall(text.lower())) or {_NOTHING: 1}
        length = math.sqrt(sum(count * count for count in counts.values()))
        for word, count in counts.items():
            total[word] += count / length
    return _of_sum(sum(each * each for each in total.values()), len(texts), len(texts))


def _of_sum(squared: float, units: int, count: int) -> float:
    """Return the mean distance of vectors, by the squared length of the sum of their directions.

    That square is the number of vectors and twice the sum of all cosines.
    """
    if count < 2:
        return math.nan
    return min(1.0, max(0.0, 1 - (squared - units) / (count * (count - 1))))
