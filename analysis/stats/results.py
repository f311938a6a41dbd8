"""What a statistic returns: an estimate with all it rests on, or a typed "undefined, because …"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and how it was found.

    Parameters
    ----------
    low, high : float
        Limits, ``low <= high``.
    level : float
        Nominal coverage, such as 0.95.
    method : str
        In words: "Fisher z", "percentile bootstrap over segments", ….
    """

    low: float
    high: float
    level: float
    method: str

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as a JSON-able mapping."""
        return {"low": self.low, "high": self.high, "level": self.level, "method": self.method}


class _Framed:
    """What an estimate and an undefined statistic have in common."""

    __slots__: tuple[str, ...] = ()
    kind: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a JSON-able mapping of its kind and its fields."""
        return {"kind": self.kind} | {name: _plain(getattr(self, name)) for name in self.__slots__}

    def to_frame(self) -> pandas.DataFrame:
        """Return the result as a data frame of one row, its interval in columns of its own.

        Examples
        --------
        >>> frame = Estimate(0.5, n=4, interval=Interval(0.2, 0.8, 0.95, "Fisher z")).to_frame()
        >>> frame[["value", "low", "high"]].iloc[0].tolist()
        [0.5, 0.2, 0.8]
        """
        import pandas

        row = self.to_dict()
        interval = row.pop("interval", None) or {}
        names = {"low": "low", "high": "high", "confidence": "level", "interval_method": "method"}
        row |= {column: interval.get(name) for column, name in names.items()}
        return pandas.DataFrame([row])


@dataclass(frozen=True, slots=True)
class Undefined(_Framed):
    """A statistic that cannot be computed from these data, and why.

    Parameters
    ----------
    reason : str
        In plain words, as a page shows it.
    n : int
        Number of units that were there.
    unit : str
        What `n` counts.
    signature : str
        Which statistic, in which variant, is undefined.
    details : mapping
        Further facts that can be written as JSON.
    """

    reason: str
    n: int = 0
    unit: str = ""
    signature: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    kind: ClassVar[str] = "undefined"
    # What an estimate has and this has not, so that a reader of results need not ask which it is.
    value: ClassVar[None] = None
    raters: ClassVar[None] = None
    pairs: ClassVar[None] = None
    p_value: ClassVar[None] = None
    interval: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class Estimate(_Framed):
    """A number with everything that it rests on.

    Parameters
    ----------
    value : float
        The statistic; always finite.
    n : int
        Number of units.
    unit : str
        What `n` counts: "outputs", "segments", "systems", "units", ….
    signature : str
        Statistic and variant, see `analysis.stats.signature`.
    raters : int, optional
        Number of raters (or rating slots) that entered.
    pairs : int, optional
        Number of pairs that were compared.
    p_value : float, optional
        Of the test named in ``details["test"]``; two-sided unless ``details["alternative"]`` says
        otherwise.
    interval : Interval, optional
    details : mapping
        JSON-able facts: counts of what was left out, degenerate draws, standard errors.

    Raises
    ------
    ValueError
        If `value` is not finite: such a result is an `Undefined`.
    """

    value: float
    n: int
    unit: str = "units"
    signature: str = ""
    raters: int | None = None
    pairs: int | None = None
    p_value: float | None = None
    interval: Interval | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    kind: ClassVar[str] = "estimate"
    reason: ClassVar[str] = ""

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise ValueError(f"an estimate must be finite, found {self.value}")


Result: TypeAlias = Estimate | Undefined


def result_of(stored: Mapping[str, Any]) -> Result:
    """Return the result that `Estimate.to_dict` or `Undefined.to_dict` wrote.

    Examples
    --------
    >>> result_of(Undefined("no ratings", unit="outputs").to_dict())
    Undefined(reason='no ratings', n=0, unit='outputs', signature='', details={})
    """
    facts = {name: value for name, value in stored.items() if name != "kind"}
    if stored["kind"] == "undefined":
        return Undefined(**facts)
    if facts["interval"]:
        facts["interval"] = Interval(**facts["interval"])
    return Estimate(**facts)


def with_details(result: Result, **details: Any) -> Result:
    """Return the same result with further details alongside those it has."""
    return replace(result, details={**result.details, **details})


def without_interval(result: Estimate, reason: str) -> Estimate:
    """Return the same result without an interval, and why it has none."""
    details = {**result.details, "no_interval_because": reason}
    return replace(result, interval=None, details=details)


def _plain(value: Any) -> Any:
    """Turn NumPy scalars, arrays and tuples into what JSON knows; NaN becomes None."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Interval):
        return value.to_dict()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
