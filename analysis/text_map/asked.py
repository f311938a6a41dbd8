"""What a map of texts is asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from analysis.filter.question import QuestionError

FEWEST_TEXTS = 10
MOST_TEXTS = 3_000
LOWEST_PERPLEXITY, HIGHEST_PERPLEXITY = 5.0, 100.0


@dataclass(frozen=True, slots=True)
class MapAsked:
    """Which texts are drawn, and how.

    Parameters
    ----------
    systems
        Whose outputs are drawn beside sources and references; empty for all.
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
