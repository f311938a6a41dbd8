"""What a sweep is asked for, the settings that it comes to, and what it found, as it is stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any

from analysis.reports.content import Content
from analysis.stats.results import Result
from analysis.stats.systems.distribution import Distribution
from metrics.attribution.masking import AS_IN_2022, AT_LEAST_ONE, PADDING, RULES
from metrics.runs.requests import RunRequest
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
    rule: str
    parameters: Mapping[str, Value]
    request: RunRequest

    @property
    def line(self) -> str:
        """Name of all settings that differ by the threshold alone."""
        texts = [MASKS[self.mask], UNITS[self.units]] if self.mask else ["plain texts"]
        if self.rule not in ("", AT_LEAST_ONE):
            texts.append(RULES[self.rule])
        return ", ".join([*texts, *(f"{name} {value}" for name, value in self.parameters.items())])


@dataclass(frozen=True)
class Sweep:
    """A metric under every combination of settings, compared with human judgement of one aspect.

    Parameters
    ----------
    metric
        Its key.
    aspect
        What human raters judged.
    against
        As in a `RunRequest`; empty for the metric's own choice.
    model
        Classifier whose attributions say what is masked; empty for none.
    thresholds, masks, units, rules
        Of masks; plain texts are always among the settings. A rule says what happens where one
        word exceeds the threshold.
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
    rules: Sequence[str] = (AT_LEAST_ONE,)

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
        texts: list[tuple[float | None, str, str, str]] = [(None, "", "", "")]
        if self.model:
            of_masks = product(self.masks, self.units, self.rules, self.thresholds)
            # The report's settings are of pieces; asked for with both units they are one.
            texts += dict.fromkeys(
                (threshold, mask, "pieces" if rule == AS_IN_2022 else units, rule)
                for mask, units, rule, threshold in of_masks
            )
        for values in product(*self.grid.values()):
            parameters = dict(zip(self.grid, values, strict=True))
            for threshold, mask, units, rule in texts:
                text = self._text(threshold, mask, units, rule)
                request = RunRequest(self.metric, parameters, self.against, text)
                yield Setting(threshold, mask, units, rule, parameters, request)

    def _text(self, threshold: float | None, mask: str, units: str, rule: str) -> dict[str, Any]:
        if threshold is None:
            return {}
        masked = {
            "kind": _KIND_OF[mask],
            "by": "attribution",
            "model": self.model,
            "threshold": threshold,
        }
        if rule == AS_IN_2022:
            return {**masked, "preset": AS_IN_2022}
        return {**masked, "merge_words": units == "words", "at_least_one": rule == AT_LEAST_ONE}


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
    grid: dict[str, list[Value]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, equals, values = (part.strip() for part in line.partition("="))
        if not equals:
            found = line.strip()[:100]
            raise SweepError(f"line {number}: found {found!r}, expected parameter = value, value")
        try:
            grid |= checked_grid(metric, {name: [value.strip() for value in values.split(",")]})
        except SweepError as error:
            raise SweepError(f"line {number}: {error}") from None
    return grid


@dataclass(frozen=True, kw_only=True)
class SweptSetting:
    """One number of one setting, compared with human scores.

    Parameters
    ----------
    line
        Name of all settings that differ by the threshold alone.
    number
        Name of the metric's number.
    threshold
        None of plain texts.
    run, run_name, run_signature
        Row, name and signature of the run that scored it.
    orientation
        Whether its scores are oriented.
    missing, why_missing
        Rated outputs without a score, and why the first has none.
    chosen
        Share of the inner choices that fell on it.
    distribution
        How its scores are spread over the outputs that all numbers rest on; sweeps that were
        stored before do not say.
    """

    line: str
    number: str
    threshold: float | None
    run: int
    run_name: str = ""
    run_signature: str
    orientation: str
    missing: int
    why_missing: str
    chosen: float
    result: Result
    distribution: Distribution | None = None


@dataclass(frozen=True, kw_only=True)
class SweepResult(Content):
    """The settings of a sweep, and what choosing the best of them is worth.

    Parameters
    ----------
    sweep
        What was asked for, as `Sweep.to_dict` gave it at that time.
    best
        Place of the setting with the highest correlation.
    honest
        Correlation of the choice on segments held out from it.
    cells, lost
        Outputs that all numbers rest on, and rated ones that some setting has no score for.
    pooled
        Sentences on ratings that are pooled over several campaigns.
    """

    sweep: Mapping[str, Any]
    rows: tuple[SweptSetting, ...]
    trained: tuple[Mapping[str, Any], ...] = ()
    best: int | None
    honest: Result
    cells: int
    lost: int
    ratings_sha256: str
    versions: Mapping[str, str]
    pooled: tuple[str, ...] = ()
