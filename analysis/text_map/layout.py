"""Texts laid out in a plane so that those with like embeddings lie together."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.text_map.asked import FEWEST_TEXTS


def laid_out(
    texts: Sequence[str],
    embedded: Callable[[list[str]], NDArray[np.float32]],
    *,
    perplexity: float,
    seed: int,
) -> NDArray[np.float64]:
    """Return a place in the plane for each text, by t-SNE of its sentence embedding.

    Equal texts share a place and count once. Distances are cosines; the start is the first two
    principal components, so that the large shape says something too. Distances between far
    groups, and the sizes of groups, mean nothing (van der Maaten and Hinton 2008).

    Parameters
    ----------
    texts
        Not empty ones.
    embedded
        Returns the sentence embeddings of different texts.
    perplexity
        About how many neighbours a text has; lowered where there are too few texts.
    seed
        Of the optimisation; the same seed gives the same picture on the same machine.

    Returns
    -------
    ndarray, shape (texts, 2)

    Raises
    ------
    ValueError
        If fewer than `FEWEST_TEXTS` differ.
    Exception
        What `embedded` raises.
    """
    from sklearn.manifold import TSNE

    place_of = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    if len(place_of) < FEWEST_TEXTS:
        raise ValueError(f"{len(place_of)} different texts: a map needs {FEWEST_TEXTS}")
    vectors = embedded(list(place_of))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    # Between vectors of unit length the order of distances is that of cosines.
    units = vectors / np.where(lengths > 0, lengths, 1.0)
    method = TSNE(
        perplexity=min(perplexity, (len(place_of) - 1) / 3),
        init="pca",
        learning_rate="auto",
        random_state=seed,
    )
    places = np.asarray(method.fit_transform(units), dtype=np.float64)
    return places[[place_of[text] for text in texts]]
