"""The scores of a study that a combined metric may take, by the names that people give them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from corpus.models import Study
from metrics.computed_metrics import SUFFIX, column_name
from metrics.models import Metric, MetricRun
from metrics.score_runs import run_name
from metrics.scorers.combination import Combination, NothingNamed, PartFacts
from metrics.scorers.registry import scorers

MOST_NAMED = 12


class PartError(ValueError):
    """A part that is not there, that is ambiguous, or that does not fit; the message says which."""


@dataclass(frozen=True)
class PartColumn:
    """One number of a run."""

    run: MetricRun
    column: int

    @property
    def field(self) -> str:
        """Name of the number within its run."""
        return str(self.run.fields[self.column])

    @property
    def key(self) -> str:
        """Its name in requests and signatures, the same wherever the study is."""
        return part_key(self.run.signature, self.field, self.run.fields)

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called here, the shortest name first."""
        return self._named(self.run.metric.name)

    @property
    def all_names(self) -> set[str]:
        """What people may call it: one that was computed, also without the mark that says so."""
        return {*self.names, *self._named(self.run.metric.name.removesuffix(SUFFIX))}

    def _named(self, metric: str) -> tuple[str, ...]:
        name = column_name(metric, self.field, self.run.fields)
        settings = [part for part in (self.run.compared_to, self.run.text_setting) if part]
        longer = ["/".join([name, *settings[:n]]) for n in range(1, len(settings) + 1)]
        return name, *longer

    @property
    def facts(self) -> PartFacts:
        """What a combination must know to take it or not."""
        metric = self.run.metric
        key = str(self.run.request.get("metric", metric.name))
        statistics = tuple(self.run.statistics)
        return PartFacts(self.names[-1], key, metric.orientation, statistics)

    @property
    def sha256(self) -> str:
        """Hash of all that decides what it gives to a combination."""
        metric = self.run.metric
        turned = (metric.orientation, metric.speaks_of, metric.midpoint)
        text = "|".join([self.run.signature, self.field, *map(str, turned)])
        return sha256(text.encode()).hexdigest()


def part_key(signature: str, field: str, fields: Sequence[str]) -> str:
    """Name one number of a run by its metric and the hash of its signature.

    Examples
    --------
    >>> part_key("bertscore|against:source", "f", ["p", "r", "f"])
    'bertscore-f#51d01f4d4a8e'
    """
    metric = signature.partition("|")[0].replace(",", " ")
    return f"{column_name(metric, field, fields)}#{run_name(signature)}"


def part_columns(study: Study) -> list[PartColumn]:
    """Return every number of the study's runs, finished or not; distributions are none."""
    runs = study.runs.filter(is_distribution=False).select_related("metric").order_by("pk")
    return [PartColumn(run, place) for run in runs for place in range(len(run.fields))]


def found_parts(study: Study, combination: Combination) -> dict[str, PartColumn]:
    """Return the parts that a combination names, by what each is for.

    Raises
    ------
    PartError
        If one is not there, is ambiguous, or does not fit.
    ParameterError
        If the parameters name none.
    """
    columns = part_columns(study)
    try:
        wanted = combination.parts()
    except NothingNamed as error:
        raise PartError(f"{error}; {_has(_told_apart(columns))}") from None
    parts = {role: _found(study, columns, combination, role, name) for role, name in wanted.items()}
    for role, part in parts.items():
        if why := combination.objection(role, part.facts):
            raise PartError(f"{role}: {part.facts.label} cannot be taken: {why}")
    return parts


def _found(
    study: Study, columns: Sequence[PartColumn], combination: Combination, role: str, name: str
) -> PartColumn:
    """Return the one of a name; where there are several, the one that can be this part."""
    fits = [each for each in columns if each.key == name]
    fits = fits or [each for each in columns if name in each.all_names]
    if len(fits) > 1:
        fits = [each for each in fits if not combination.objection(role, each.facts)] or fits
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise PartError(f"{role}: {name} is ambiguous, say which: {_listed(_told_apart(fits))}")
    raise PartError(f"{role}: there are no scores {name!r}; {_help(study, columns, name)}")


def _help(study: Study, columns: Sequence[PartColumn], name: str) -> str:
    """Say how to get a part that is not there."""
    metric, _, against = name.partition("/")
    if metric in scorers():
        option = f" --against {against}" if against else ""
        return (
            f"score it first, on the score page or by manage.py score {study.slug} {metric}{option}"
        )
    return _has(list(dict.fromkeys(each.names[0] for each in columns)))


def _has(names: Sequence[str]) -> str:
    return f"this study has {_listed(names) or 'none: score or import some first'}"


def _told_apart(fits: Sequence[PartColumn]) -> list[str]:
    """Return a name for each that no other has: the longest for people, else the key."""
    longest = [each.names[-1] for each in fits]
    return [
        words if longest.count(words) == 1 else each.key
        for words, each in zip(longest, fits, strict=True)
    ]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown} and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else shown


def part_facts(parts: Mapping[str, PartColumn]) -> dict[str, str]:
    """Return what goes into the signature of a combination: each part to its hash."""
    return {role.replace(" ", "-"): part.sha256 for role, part in parts.items()}


def lower_is_better(part: PartColumn) -> bool:
    """Whether a part's lower scores are better."""
    return bool(part.run.metric.orientation == Metric.Orientation.LOWER)
