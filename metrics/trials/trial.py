"""What is tried: two texts and, where they are known, a reference and the target style."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep

from django.conf import settings

from corpus.storage.locks import file_lock
from metrics.attribution.masking import AT_LEAST_ONE

LONGEST_TEXT = 2000
"""Characters of each text: what bounds the work that one form can ask for."""
SECONDS_TO_WAIT = 5.0
_SECONDS_BETWEEN_LOOKS = 0.1


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
    rule
        Which words are masked where one exceeds the threshold, a key of `RULES`.
    """

    source: str
    output: str
    reference: str = ""
    target_style: str = ""
    rule: str = AT_LEAST_ONE


@contextmanager
def own_turn(seconds: float = SECONDS_TO_WAIT) -> Iterator[None]:
    """Let one trial at a time keep this machine busy: the other server processes are for raters.

    Raises
    ------
    Busy
        If another trial is not done in the time that a server process can be spared for waiting.
    """
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with file_lock(settings.DATA_DIR / "trial-turn") as take:
        until = monotonic() + seconds
        while not take(False):
            if monotonic() >= until:
                raise Busy(
                    "Somebody else is trying texts at the moment; try again in a few seconds."
                )
            sleep(_SECONDS_BETWEEN_LOOKS)
        yield
