"""What is tried: two texts and, where they are known, a reference and the target style."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

LONGEST_TEXT = 2000
"""Characters of each text: what bounds the work that one form can ask for."""
SECONDS_TO_WAIT = 60.0
_turn = Lock()


class Busy(Exception):
    """Others are trying at the moment; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One source and one output of it.

    Attributes
    ----------
    source, output
        The two texts.
    reference
        A text to compare with besides; may be empty.
    target_style
        Style that the output should have; empty where it is not said.
    """

    source: str
    output: str
    reference: str = ""
    target_style: str = ""


@contextmanager
def own_turn(seconds: float = SECONDS_TO_WAIT) -> Iterator[None]:
    """Let one person at a time keep the models of this process busy.

    Raises
    ------
    Busy
        If the others took longer than one can be expected to wait.
    """
    if not _turn.acquire(timeout=seconds):
        raise Busy("Others are trying texts at the moment; send yours again in a minute.")
    try:
        yield
    finally:
        _turn.release()
