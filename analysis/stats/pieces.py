"""Computations in pieces: independent of each other, so that any process may compute any of them.

How a computation is cut depends on its data alone, never on who computes: its values are the same
however many processes share it.
"""

from collections.abc import Callable, Generator, Sequence
from functools import wraps
from itertools import islice
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar

from corpus.progress import ProgressCallback, unreported

T = TypeVar("T")
P = ParamSpec("P")
DOING = "computing parts"
"""The task that is reported while pieces are computed."""
Piece: TypeAlias = Callable[[], T]
"""A function without parameters, most often a `functools.partial`. What it declares to return is
what another process sends back: arrays, results, and dataclasses and tuples of these."""
InPieces: TypeAlias = Generator[list[Piece[Any]], list[Any], T]
"""A computation that hands out its pieces, is sent their values, and returns what comes of them."""


class Divide(Protocol):
    """Computes pieces, here or elsewhere, and returns their values in order."""

    def __call__(
        self, pieces: Sequence[Piece[T]], progress: ProgressCallback = unreported, /
    ) -> list[T]: ...


def in_turn(pieces: Sequence[Piece[T]], progress: ProgressCallback = unreported) -> list[T]:
    """Compute pieces here, one after the other; `progress` is called after each."""
    values = []
    for done, piece in enumerate(pieces, 1):
        values.append(piece())
        progress(DOING, done, len(pieces))
    return values


def values_of(pieces: Sequence[Piece[T]]) -> InPieces[list[T]]:
    """Return the values of pieces as they are, as a computation among others."""
    values: list[T] = yield list(pieces)
    return values


def put_together(
    computations: Sequence[InPieces[T]],
    divide: Divide = in_turn,
    progress: ProgressCallback = unreported,
) -> list[T]:
    """Finish computations, the pieces of all of them being divided at once.

    Parameters
    ----------
    computations : sequence of generators
        Each hands out its pieces once.
    divide : callable
    progress : callable
        Is called with how many pieces are done.

    Returns
    -------
    list
        What each returns.

    Examples
    --------
    >>> def total(numbers):
    ...     values = yield [partial(np.square, number) for number in numbers]
    ...     return float(sum(values))
    >>> from functools import partial
    >>> import numpy as np
    >>> put_together([total([1, 2]), total([3])])
    [5.0, 9.0]
    """
    asked = [next(computation) for computation in computations]
    values = iter(divide([piece for pieces in asked for piece in pieces], progress))
    results = []
    for computation, pieces in zip(computations, asked, strict=True):
        try:
            computation.send(list(islice(values, len(pieces))))
        except StopIteration as done:
            results.append(done.value)
        else:
            raise ValueError("a computation hands out its pieces once")
    return results


def at_once(steps: Callable[P, InPieces[T]]) -> Callable[P, T]:
    """Return a function that computes all pieces of a computation here, and their result."""

    @wraps(steps)
    def computed(*arguments: P.args, **options: P.kwargs) -> T:
        return put_together([steps(*arguments, **options)])[0]

    return computed
