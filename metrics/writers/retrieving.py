"""The text of a collection whose content is nearest to that of another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from corpus.texts.masking import split_words
from metrics.encoders.sentence import SentenceEncoder, sentence_encoder
from metrics.scorers.spec import Parameter

TF_IDF, EMBEDDINGS = "tf-idf", "minilm"
NEAREST_BY = Parameter(
    "nearest_by",
    TF_IDF,
    "Which text is nearest: by shared words, rare ones first (tf-idf), or by sentence embeddings "
    "(minilm).",
    choices=(TF_IDF, EMBEDDINGS),
)


@dataclass(eq=False)
class Retriever:
    """Finds the text whose content is nearest.

    Parameters
    ----------
    texts
        Where to look; what is returned is the place of one of them.
    by
        ``tf-idf``: cosine of words weighted by their inverse document frequency. ``minilm``:
        cosine of sentence embeddings.
    content
        What is compared of each text, such as the text without its style words.
    """

    texts: Sequence[str]
    by: str = TF_IDF
    content: Callable[[str], str] = str

    def nearest(self, query: str, most: int = 1) -> list[int]:
        """Return the places of the nearest texts, the nearest first; none if nothing is shared.

        Parameters
        ----------
        query
            The content to look for.
        most
            How many at most.
        """
        if not len(self.texts):
            return []
        similar = self._similarities(query)
        order = np.argsort(-similar, kind="stable")[:most]
        return [int(place) for place in order if similar[place] > 0]

    def _similarities(self, query: str) -> Any:
        if self.by == TF_IDF:
            vectorizer, rows = self._weighted
            return np.asarray((rows @ vectorizer.transform([query]).T).todense()).ravel()
        return self._embedded @ self._encoder.encode([query])[0]

    @cached_property
    def _weighted(self) -> tuple[Any, Any]:
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(analyzer=_words)
        try:
            rows = vectorizer.fit_transform([self.content(text) for text in self.texts])
        except ValueError:  # No text has a word.
            rows = vectorizer.fit_transform(["-" for _ in self.texts])
        return vectorizer, rows

    @cached_property
    def _encoder(self) -> SentenceEncoder:
        return sentence_encoder()

    @cached_property
    def _embedded(self) -> Any:
        return self._encoder.encode([self.content(text) for text in self.texts])


def _words(text: str) -> list[str]:
    return split_words(text, with_signs=False) or ["\0"]
