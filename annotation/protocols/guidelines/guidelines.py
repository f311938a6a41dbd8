"""What a protocol brings besides its questions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotation.protocols.guidelines import criteria
from annotation.protocols.guidelines.asked import Asked
from annotation.protocols.questions import Scale


@dataclass(frozen=True, slots=True)
class Guidelines:
    """Guidelines, practice items and words on the scales, all of which an owner may change.

    Parameters
    ----------
    text
        The guidelines, in Markdown.
    practice
        Practice items as a campaign keeps them.
    labels
        Words for points of a scale, by answer.
    """

    text: Callable[[Asked], str]
    practice: Callable[[Asked], list[dict[str, Any]]]
    labels: Callable[[Scale], dict[str, str]] = criteria.labels
