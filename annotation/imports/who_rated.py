"""What a table says of who rated, beyond the names: its columns, and how many raters it counts.

Pure: this module imports no Django.
"""

import re
from dataclasses import dataclass

from corpus.tabular.guesses.columns import POSITION
from corpus.tabular.shaping.mapping import Mapping
from corpus.vocabulary.rater_names import MAJORITY, MEAN, MEDIAN, MODEL, PLACE, TOGETHER

_WORDS = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TOGETHER_WORDS = {
    **dict.fromkeys(("mean", "avg", "average", "averaged"), MEAN),
    "median": MEDIAN,
    "majority": MAJORITY,
}


@dataclass(frozen=True)
class RaterColumns:
    """What the columns of one table of ratings say.

    Attributes
    ----------
    is_by_line
        Whether the ratings of one line are by one rater, each on an aspect.
    kind
        The kind that the name of the rater column implies: `model` or `place`; else empty.
    together
        `mean`, `median` or `majority` where the name of the score column says so; else empty.
    is_counted
        Whether numbers of raters are given, and not what their ratings became together.
    """

    is_by_line: bool
    kind: str = ""
    together: str = ""
    is_counted: bool = False

    @classmethod
    def of(cls, mapping: Mapping | None) -> "RaterColumns":
        """Read them from the names of the columns that a mapping takes."""
        if mapping is None:
            return cls(is_by_line=False)
        named, wide = "rater" in mapping.given, mapping.wide
        together = "" if named else _together(mapping)
        counted = "rater_count" in mapping.given
        return cls(
            is_by_line=wide is not None and "aspect" in wide.names and not mapping.explode,
            kind=_kind(mapping),
            together=together,
            is_counted=counted and not together and "rater_kind" not in mapping.given,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What an import should say of what it took from the names of columns."""
        found = []
        if self.kind == MODEL:
            found.append("raters are stored as models, as the name of their column says")
        if self.kind == PLACE:
            found.append(
                "raters are numbered by their place in a list: places are not persons, so nothing "
                "is computed for each of them"
            )
        if self.together:
            plural = {MEAN: "means", MEDIAN: "medians", MAJORITY: "majorities"}[self.together]
            found.append(
                f"scores are stored as {plural} of several raters, as the name of their column says"
            )
        if self.is_counted:
            found.append(
                "a column counts raters: scores are stored as means of so many, choices as "
                "majorities; a column or constant rater_kind says it otherwise (median)"
            )
        return tuple(found)

    def name(self, rater: str, kind: str, count: int | None, *, is_choice: bool) -> tuple[str, str]:
        """Return the name and the kind of who gave one rating; both empty where nothing says it.

        Examples
        --------
        >>> RaterColumns(False).name("", "", 5, is_choice=False)
        ('mean of 5 raters', 'mean')
        >>> RaterColumns(False, together="median").name("", "", None, is_choice=False)
        ('median of several raters', 'median')
        """
        kind = kind or self.kind
        if count is None and not self.together:
            return rater, kind
        together = kind if kind in TOGETHER else self.together
        together = together or (MAJORITY if is_choice else MEAN)
        words = f"{together} of {'several' if count is None else count} raters"
        return (f"{rater}, {words}" if rater else words), together


def with_spread(comment: str, aspect: str, deviation: float | None) -> str:
    """Return a comment with the standard deviation of the ratings behind a mean, if it is known."""
    if deviation is None:
        return comment
    spread = f"{aspect}: standard deviation {deviation:g}"
    return f"{comment}\n{spread}" if comment else spread


def _together(mapping: Mapping) -> str:
    """Return what all columns of scores say by their names that their numbers are."""
    columns = list(filter(None, map(mapping.column, ("score", "judgement"))))
    if (wide := mapping.wide) is not None and "rater" not in wide.names:
        columns += list(wide.columns) or [wide.pattern]
    said = {_said(column) for column in columns}
    return said.pop() if len(said) == 1 else ""


def _said(column: str) -> str:
    words = _WORDS.findall(_CAPITALS.sub(" ", column).lower())
    return next((_TOGETHER_WORDS[word] for word in words if word in _TOGETHER_WORDS), "")


def _kind(mapping: Mapping) -> str:
    """Return the kind of rater that the column of raters is of by its name."""
    column = mapping.column("rater")
    if POSITION in column:
        return PLACE
    words = set(_WORDS.findall(_CAPITALS.sub(" ", column).lower()))
    return MODEL if words & {"llm", "model"} else ""
