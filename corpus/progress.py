"""How a computation that takes long reports its progress."""

from collections.abc import Callable
from typing import TypeAlias

ProgressCallback: TypeAlias = Callable[[str, int, int], object]
"""Takes what is being done, how much of it is done, and how much there is (0 where not known).

It stops the computation by raising an exception.
"""


def unreported(message: str, done: int, total: int) -> None:
    """Report progress to nobody."""
