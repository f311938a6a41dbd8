"""Are the texts to be had? One question of the mapping page, where nothing brings any."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corpus.models import Study, System

FIELD = "without-texts"
_OF_OUTPUTS = frozenset({"ratings", "metric_scores", "style_distributions"})


@dataclass(frozen=True)
class TextsQuestion:
    """Whether it is asked, and what was answered.

    Attributes
    ----------
    is_asked
        Whether ratings or scores come, and neither the study nor the files have texts of outputs.
    is_needed
        Whether nothing can be imported before it is answered with yes.
    without_texts
        The answer: import keys alone.
    """

    is_asked: bool = False
    is_needed: bool = False
    without_texts: bool = False

    @classmethod
    def of(
        cls, study: Study, tables: Iterable[str], data: Mapping[str, Any] | None, *, before: bool
    ) -> "TextsQuestion":
        """Return the question.

        Parameters
        ----------
        study
        tables
            Those that the files are read as.
        data
            What was sent; None if nothing was.
        before
            The answer at an earlier attempt.
        """
        coming = set(tables)
        if not coming & _OF_OUTPUTS or "outputs" in coming:
            return cls()
        if (
            not study.without_texts
            and study.outputs.filter(system__kind=System.Kind.SYSTEM).exists()
        ):
            return cls()
        answer = before if data is None else data.get(FIELD) == "yes"
        return cls(True, not (study.without_texts or answer), answer)
