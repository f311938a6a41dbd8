"""What a map of texts is asked for, and texts laid out so that like embeddings lie together."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.filter.question import QuestionError

FEWEST_TEXTS = 10
MOST_TEXTS = 3_000
LOWEST_PERPLEXITY, HIGHEST_PERPLEXITY = 5.0, 100.0


@dataclass(frozen=True, slots=True)
class MapAsked:
    """Which texts are shown, and how.

    Parameters
    ----------
    systems
        Whose outputs are shown with sources and references; empty for all.
    direction
        `informal-to-formal`; empty for both together.
    perplexity
        About how many neighbours of a text are kept near.
    seed
        Of the choice of segments and of the layout.
    represented_by
        Name of a style classifier whose own view of the texts is laid out; empty for sentence
        embeddings.
    """

    systems: tuple[str, ...] = ()
    direction: str = ""
    perplexity: float = 30.0
    seed: int = 20190604
    represented_by: str = ""

    def __post_init__(self) -> None:
        if not LOWEST_PERPLEXITY <= self.perplexity <= HIGHEST_PERPLEXITY:
            expected = f"{LOWEST_PERPLEXITY:g} to {HIGHEST_PERPLEXITY:g}"
            raise QuestionError(f"perplexity={self.perplexity:g}: expected {expected}")
        if not 0 <= self.seed < 2**32:
            raise QuestionError(f"seed={self.seed}: expected 0 to {2**32 - 1}")

    @classmethod
    def parse(cls, given: Mapping[str, Sequence[str]]) -> "MapAsked":
        """Read an address.

        Raises
        ------
        QuestionError
            If a name is unknown or a value impossible.
        """
        known = {"systems", "direction", "perplexity", "seed", "represented_by"}
        for name in given:
            if name not in known:
                raise QuestionError(f"{name}: no such filter; known: {', '.join(sorted(known))}")
        named = {name: [v for v in values if v] for name, values in given.items()}
        found: dict[str, Any] = {"systems": tuple(named.get("systems", ()))}
        kinds = {"direction": str, "perplexity": float, "seed": int, "represented_by": str}
        for name, kind in kinds.items():
            if values := named.get(name):
                try:
                    found[name] = kind(values[-1])
                except ValueError:
                    raise QuestionError(f"{name}={values[-1]}: expected a number") from None
        return cls(**found)

    def to_dict(self) -> dict[str, Any]:
        """Return what a job keeps."""
        return asdict(self) | {"systems": list(self.systems)}


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
