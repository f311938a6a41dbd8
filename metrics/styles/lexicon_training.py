"""Style lexicons: the words with the largest weights in an L1 logistic regression, or modifiers.

As in Mir et al. (2019): a regression on word counts whose L1 penalty leaves most words a weight of
exactly zero; style words are those whose weight lies further than two standard deviations from the
mean of the others that are not zero.

Modifiers are the adjectives and adverbs of English texts, whatever their style. Parts of speech are
those of the Penn Treebank, as the tagger of Pattern (De Smedt and Daelemans 2012, in the package
`textblob`) gives them: a lexicon with Brill's rules of context.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from corpus.progress import ProgressCallback, unreported
from corpus.texts.masking import split_words
from metrics.scorers.scorer import Floats
from metrics.styles.labelled import LabelledTexts, TrainingError

DEVIATIONS = 2.0
STRENGTH = 1.0
FEWEST = 2
_ITERATIONS = 1000
_TOLERANCE = 1e-3


@dataclass(frozen=True)
class StyleWord:
    """A word that speaks for a style.

    Attributes
    ----------
    word
        In small letters.
    style
        The style that it speaks for.
    weight
        Of two styles the sign says which: below zero for the first in the alphabet.
    texts
        In how many texts of each style it stands, in the order of the styles.
    """

    word: str
    style: str
    weight: float
    texts: tuple[int, ...]


@dataclass(frozen=True)
class WordWeights:
    """Weights of all words, most of them zero.

    Attributes
    ----------
    words
        Columns of the weights.
    weights : ndarray, shape (functions, words)
        One function for two styles, else one a style against all others.
    texts : ndarray, shape (styles, words)
        In how many texts of each style a word stands.
    styles
        Names of the styles.
    """

    words: tuple[str, ...]
    weights: Floats
    texts: npt.NDArray[np.int64]
    styles: tuple[str, ...]


def word_weights(
    labelled: LabelledTexts,
    *,
    strength: float = STRENGTH,
    fewest: int = FEWEST,
    report: ProgressCallback = unreported,
) -> WordWeights:
    """Fit L1 logistic regressions to counts of words.

    Parameters
    ----------
    labelled
        Texts with their styles.
    strength
        How much the texts count against the penalty (scikit-learn's C): more leaves more words.
    fewest
        In how many texts a word must stand.
    report
        Is called with the progress.

    Raises
    ------
    TrainingError
        If the texts are graded, or no word stands in enough of them.
    """
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    if labelled.is_graded:
        raise TrainingError("a lexicon needs texts of two styles or more, not grades")
    report("counting words", 0, len(labelled))
    vectorizer = CountVectorizer(
        tokenizer=_words, token_pattern=None, lowercase=False, min_df=fewest, dtype=np.float64
    )
    try:
        counts = vectorizer.fit_transform(labelled.texts)
    except ValueError:
        raise TrainingError(f"no word occurs in {fewest} texts; give more texts") from None
    columns = labelled.columns
    names = labelled.styles[1:] if len(labelled.styles) == 2 else labelled.styles
    rows = []
    for number, style in enumerate(names):
        report(f"fitting weights for {style}", number, len(names))
        regression = LogisticRegression(
            solver="liblinear",
            l1_ratio=1.0,
            C=strength,
            max_iter=_ITERATIONS,
            tol=_TOLERANCE,
            random_state=0,
        )
        rows.append(regression.fit(counts, columns == labelled.styles.index(style)).coef_[0])
    standing = np.vstack(
        [
            np.bincount(counts[columns == style].indices, minlength=counts.shape[1])
            for style in range(len(labelled.styles))
        ]
    )
    words = tuple(vectorizer.get_feature_names_out().tolist())
    return WordWeights(words, np.array(rows, dtype=np.float64), standing, labelled.styles)


def outlying(weights: npt.ArrayLike, deviations: float = DEVIATIONS) -> npt.NDArray[np.bool_]:
    """Return which weights are further from the mean of the non-zero ones than so many deviations.

    Parameters
    ----------
    weights : array_like, shape (words,)
    deviations
        In standard deviations of the non-zero weights (divided by their number).

    Examples
    --------
    >>> outlying([0.0, 0.1, -0.1, 0.0, 0.1, -0.1, 3.0]).tolist()
    [False, False, False, False, False, False, True]
    """
    values = np.asarray(weights, dtype=np.float64)
    present = values[values != 0]
    if not present.size:
        return np.zeros(values.shape, dtype=np.bool_)
    distance = np.abs(values - present.mean())
    return np.asarray((values != 0) & (distance > deviations * present.std()), dtype=np.bool_)


def style_words(found: WordWeights, deviations: float = DEVIATIONS) -> list[StyleWord]:
    """Return the words whose weights stand out, those with the largest weight first.

    A word whose weight speaks against one of several styles is left out: it says less than one
    that speaks for a style.
    """
    words = []
    for number, weights in enumerate(found.weights):
        for column in np.flatnonzero(outlying(weights, deviations)).tolist():
            weight = float(weights[column])
            if len(found.styles) == 2:
                style = found.styles[int(weight > 0)]
            elif weight > 0:
                style = found.styles[number]
            else:
                continue
            standing = tuple(found.texts[:, column].tolist())
            words.append(StyleWord(found.words[column], style, weight, standing))
    return sorted(words, key=lambda each: (-abs(each.weight), each.word))


def _words(text: str) -> Sequence[str]:
    return split_words(text, with_signs=False)


PARTS = frozenset({"JJ", "JJR", "JJS", "RB", "RBR", "RBS"})
_TEXTS_AT_ONCE = 1000


class Modifier(NamedTuple):
    """A word in small letters, how often it stands as a modifier, and how often at all."""

    word: str
    modifying: int
    places: int


def modifiers(
    texts: Sequence[str], *, fewest: int = 1, report: ProgressCallback = unreported
) -> list[Modifier]:
    """Return the words that are an adjective or adverb at more than half of their places.

    Parameters
    ----------
    texts
        In English; each is counted once.
    fewest
        In how many texts a word must stand.
    report
        Is called with the number of tagged texts.

    Returns
    -------
    list of Modifier
        The most frequent modifiers first.

    Examples
    --------
    >>> [each.word for each in modifiers(["The really good soup was very hot."])]
    ['good', 'hot', 'really', 'very']
    """
    find_tags = _tagger()
    places, modifying, standing = Counter[str](), Counter[str](), Counter[str]()
    distinct = list(dict.fromkeys(texts))
    for done, text in enumerate(distinct):
        if done % _TEXTS_AT_ONCE == 0:
            report("tagging words", done, len(distinct))
        words = split_words(text)
        places.update(words)
        standing.update(set(words))
        tagged = find_tags(words)
        modifying.update(
            word for word, (_, part) in zip(words, tagged, strict=True) if part in PARTS
        )
    found = [
        Modifier(word, count, places[word])
        for word, count in modifying.items()
        if 2 * count > places[word] and standing[word] >= fewest
    ]
    return sorted(found, key=lambda each: (-each.modifying, each.word))


@cache
def _tagger() -> Callable[[Sequence[str]], list[list[str]]]:
    """Return what gives each word of a text its part of speech."""
    from textblob.en import parser

    with warnings.catch_warnings():
        # Its word list is read with the first word, and the file is left open.
        warnings.simplefilter("ignore", ResourceWarning)
        parser.find_tags(["soup"])
    tagger: Callable[[Sequence[str]], list[list[str]]] = parser.find_tags
    return tagger
