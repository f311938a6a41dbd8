"""What a report is asked: one filter for pages, the API, the command line and published values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from analysis.filter.declared_fields import DeclaredFields
from analysis.filter.field import FilterField

AGREEMENT_STATISTICS = (
    *("pearson", "pearson-double-entry", "pearson-of-rater-pairs"),
    *("icc-1-1", "icc-2-1", "icc-3-1", "icc-1-k", "icc-2-k", "icc-3-k"),
    *("alpha-interval", "alpha-ordinal", "alpha-ratio", "alpha-nominal"),
    *("fleiss-kappa", "cohen-kappa", "cohen-kappa-linear", "cohen-kappa-quadratic"),
    *("gwet-ac1", "gwet-ac2-linear", "gwet-ac2-quadratic", "percent-agreement"),
)
AGREEMENT_HEADLINE = ("alpha-interval", "pearson", "pearson-double-entry", "icc-1-1", "icc-1-k")
"""Shown per batch; over all batches every statistic is shown."""
OF_RATINGS = ("campaign", "protocol", "shown", "raters", "about")
"""Fields that choose ratings; every report of ratings has them."""
RATINGS = ("withdrawn", *OF_RATINGS)
OUTPUTS = ("direction", "systems", "leave_out", "where")
SETTINGS = ("compared_to", "text_setting")
METRICS = ("metric", *SETTINGS)
SELECTED = (
    *(*SETTINGS, "direction", "humans", *RATINGS),
    *("metric", "systems", "leave_out", "where"),
)
"""What reports on metrics take, in the order of their forms."""
TAU_LIKE = ("min_gap", "metric_ties", "average")
DRAWS = ("resamples", "seed")
OF_Z = ("scores", ("z",))
"""What z-scores need: another field, and the values that it must have."""
OF_SEGMENTS = ("level", ("segment",))
NAMED: Mapping[str, str] = {"humans": "systems", "candidates": "metric"}
"""Fields that say nothing where another one names all that enters, in every kind."""


class QuestionError(ValueError):
    """A filter that names something unknown; the message says what and what is possible."""


@dataclass(frozen=True, slots=True)
class Question(DeclaredFields):
    """A filter and the variants of the statistics; the defaults are those of the definitions."""

    def __post_init__(self) -> None:
        for name in self.given():
            if fault := FILTER_FIELDS[name].fault(getattr(self, name)):
                raise QuestionError(f"{name}={fault}")
        self._check_combinations()

    def _check_combinations(self) -> None:
        if self.level == "system" and self.statistic == "tau-like":
            raise QuestionError("tau-like compares outputs of one segment: ask for level=segment")
        if self.interval == "fisher" and self.resample != "standard":
            raise QuestionError(
                f"interval=fisher: it resamples nothing; remove resample={self.resample}"
            )
        if self.interval in ("bca", "studentised") and "annotators" in self.resample:
            raise QuestionError(
                f"interval={self.interval}: when annotators are resampled, only percentile "
                "intervals are possible"
            )

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> "Question":
        """Read a query string or a JSON object.

        Parameters
        ----------
        values
            Names to a value or a list of values; empty values count as not given.

        Raises
        ------
        QuestionError
            If a name is unknown or a value impossible.
        """
        given: dict[str, Any] = {}
        for name, value in values.items():
            if name not in DEFAULTS:
                raise QuestionError(f"{name}: no such filter; known: {', '.join(DEFAULTS)}")
            listed = [str(part) for part in _listed(value) if part is not None and str(part) != ""]
            if not listed:
                continue
            default = DEFAULTS[name]
            if isinstance(default, tuple):
                given[name] = tuple(listed)
            else:
                kind = float if default is None else type(default)
                given[name] = _converted(name, listed[-1], kind)
        return cls(**given)

    def to_query(self) -> dict[str, list[str]]:
        """Return what differs from the defaults, as a query string holds it."""
        query: dict[str, list[str]] = {}
        for name in self.given():
            value = getattr(self, name)
            parts = value if isinstance(value, tuple) else (value,)
            query[name] = [
                number_text(part) if isinstance(part, float) else str(part) for part in parts
            ]
        return query

    def given(self) -> list[str]:
        """Return the names of the fields that differ from their defaults."""
        return [name for name, default in DEFAULTS.items() if getattr(self, name) != default]

    def is_named_over(self, name: str) -> bool:
        """Whether a field says nothing because another one names all that enters."""
        return name in NAMED and bool(getattr(self, NAMED[name]))

    def text_of(self, name: str) -> str:
        """Return the value of a field as an address holds it."""
        value = getattr(self, name)
        return ",".join(value) if isinstance(value, tuple) else str(value)

    def but(self, **changes: Any) -> "Question":
        """Return the same question with some parts changed."""
        return replace(self, **changes)


FILTER_FIELDS: Mapping[str, FilterField] = {
    each.name: each.metadata["filter"] for each in fields(Question)
}
"""Every field of a question by its name."""
DEFAULTS: Mapping[str, Any] = {each.name: each.default for each in fields(Question)}
SEVERAL = tuple(name for name, default in DEFAULTS.items() if isinstance(default, tuple))
"""Fields of several values."""
CHOICES = {name: tuple(each.words) for name, each in FILTER_FIELDS.items() if each.words}


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def number_text(value: float) -> str:
    """Return the shortest text that reads back as the same number.

    Examples
    --------
    >>> number_text(25.0), number_text(123456.7)
    ('25', '123456.7')
    """
    return repr(value).removesuffix(".0")


def _converted(name: str, text: str, kind: type) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise QuestionError(f"{name}={text}: expected a number") from None
