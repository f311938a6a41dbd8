"""What a sweep is asked for, and the settings that it comes to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any

from metrics.attribution.masking import PADDING
from metrics.run_requests import RunRequest
from metrics.scorers.registry import UnknownMetric, scorer_class
from metrics.scorers.spec import Parameter, ParameterError, Value

MOST_SETTINGS = 60
MASKS: Mapping[str, str] = {"padding": f"{PADDING} in their place", "removal": "removed"}
UNITS: Mapping[str, str] = {"words": "whole words", "pieces": "word pieces"}
_KIND_OF = {"padding": "style_masked", "removal": "style_removed"}


class SweepError(ValueError):
    """A sweep that cannot be made; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a metric; plain texts have no threshold."""

    threshold: float | None
    mask: str
    units: str
    parameters: Mapping[str, Value]
    request: RunRequest

    @property
    def line(self) -> str:
        """Name of all settings that differ by the threshold alone."""
        texts = f"{MASKS[self.mask]}, {UNITS[self.units]}" if self.mask else "plain texts"
        return ", ".join([texts, *(f"{name} {value}" for name, value in self.parameters.items())])


@dataclass(frozen=True)
class Sweep:
    """A metric under every combination of settings, beside people's judgement of one aspect.

    Parameters
    ----------
    metric
        Its key.
    aspect
        What people judged.
    against
        As in a `RunRequest`; empty for the metric's own choice.
    model
        Classifier whose attributions say what is masked; empty for none.
    thresholds, masks, units
        Of masks; plain texts are always among the settings.
    grid
        Parameters of the metric to the values that are tried.
    scores
        Human scores ``raw`` or ``z``.
    """

    metric: str
    aspect: str
    against: str = ""
    model: str = ""
    thresholds: Sequence[float] = ()
    masks: Sequence[str] = ()
    units: Sequence[str] = ()
    grid: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    scores: str = "raw"

    def to_dict(self) -> dict[str, Any]:
        """Return what can be stored, and given to the class again."""
        return asdict(self)

    def settings(self) -> list[Setting]:
        """Return every setting, plain texts first.

        Raises
        ------
        SweepError
            If there are fewer than two, or too many.
        """
        made = list(self._settings())
        if not 2 <= len(made) <= MOST_SETTINGS:
            raise SweepError(
                f"these are {len(made)} settings; a sweep has from 2 to {MOST_SETTINGS}"
            )
        return made

    def _settings(self) -> Iterator[Setting]:
        texts: list[tuple[float | None, str, str]] = [(None, "", "")]
        if self.model:
            texts += [
                (threshold, mask, units)
                for mask, units, threshold in product(self.masks, self.units, self.thresholds)
            ]
        for values in product(*self.grid.values()):
            parameters = dict(zip(self.grid, values, strict=True))
            for threshold, mask, units in texts:
                text = self._text(threshold, mask, units)
                request = RunRequest(self.metric, parameters, self.against, text)
                yield Setting(threshold, mask, units, parameters, request)

    def _text(self, threshold: float | None, mask: str, units: str) -> dict[str, Any]:
        if threshold is None:
            return {}
        return {
            "kind": _KIND_OF[mask],
            "by": "attribution",
            "model": self.model,
            "threshold": threshold,
            "merge_words": units == "words",
        }


def checked_grid(metric: str, given: Mapping[str, Sequence[object]]) -> dict[str, list[Value]]:
    """Return the values of each parameter as a metric takes them, equal ones once.

    Raises
    ------
    SweepError
        If the metric is not known, or does not take a parameter or a value.
    """
    known = _parameters(metric)
    grid: dict[str, list[Value]] = {}
    for name, values in given.items():
        if name not in known:
            takes = ", ".join(known) or "none"
            raise SweepError(f"{metric} has no parameter {name!r}; parameters: {takes}")
        try:
            read = [known[name].read(value) for value in values]
        except ParameterError as error:
            raise SweepError(str(error)) from None
        grid[name] = list(dict.fromkeys(read))
    return grid


def _parameters(metric: str) -> dict[str, Parameter]:
    try:
        spec = scorer_class(metric).spec
    except UnknownMetric as error:
        raise SweepError(str(error)) from None
    return {parameter.name: parameter for parameter in spec.parameters}


def read_grid(metric: str, text: str) -> dict[str, list[Value]]:
    """Read lines of ``parameter = value, value`` as values that a metric takes.

    Raises
    ------
    SweepError
        If a line is none, or the metric does not take a value.
    """
    known = _parameters(metric)
    grid: dict[str, list[Value]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, equals, values = (part.strip() for part in line.partition("="))
        if not equals or name not in known:
            takes = ", ".join(known) or "none"
            raise SweepError(
                f"line {number}: found {line.strip()[:100]!r}, expected parameter = value, value; "
                f"parameters of {metric}: {takes}"
            )
        try:
            grid |= checked_grid(metric, {name: [value.strip() for value in values.split(",")]})
        except SweepError as error:
            raise SweepError(f"line {number}: {error}") from None
    return grid
