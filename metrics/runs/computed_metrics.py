"""Metric rows of what is computed here, kept apart by name from imported ones.

A metric row is either imported or computed, never both. Where an imported table has the same
name, the computed metric is called, say, ``chrf (computed)``.
"""

from collections.abc import Iterable, Sequence

from corpus.models import Study
from metrics.catalogue import MetricFacts
from metrics.models import Metric, MetricRun
from metrics.scorers.scorer import Scorer

SUFFIX = " (computed)"
ONE_FIELD = ("score",)


def column_name(metric: str, field: str, fields: Sequence[str]) -> str:
    """Name one number of a metric that gives several.

    Examples
    --------
    >>> column_name("bertscore", "f", ["p", "r", "f"])
    'bertscore-f'
    >>> column_name("bertscore (computed)", "f", ["p", "r", "f"])
    'bertscore-f (computed)'
    >>> column_name("chrf", "score", ["score"])
    'chrf'
    """
    if tuple(fields) == ONE_FIELD:
        return metric
    plain = metric.removesuffix(SUFFIX)
    return f"{plain}-{field}{metric[len(plain) :]}"


def computed_metric(study: Study, scorer: Scorer) -> Metric:
    """Return the row of a metric that is computed here, made if it is not there."""
    spec = scorer.spec
    facts = MetricFacts(
        "descriptive" if spec.is_distribution else spec.orientation,
        target=spec.target,
        speaks_of=scorer.speaks_of,
        midpoint=scorer.midpoint,
    )
    return metric_of_computed(study, spec.key, scorer.fields, facts)


def metric_of_computed(
    study: Study, name: str, fields: Sequence[str], facts: MetricFacts
) -> Metric:
    """Return the row of a computed metric under its name, or with the suffix if that is taken."""
    plain = name.removesuffix(SUFFIX)
    taken = _names(study, MetricRun.Origin.IMPORTED)
    both = plain, plain + SUFFIX
    ours = study.metrics.filter(name__in=both, runs__origin=MetricRun.Origin.COMPUTED).first()
    if ours is not None:
        return ours
    columns = {plain, *(column_name(plain, field, fields) for field in fields)}
    chosen = both[bool(taken & {each.casefold() for each in columns}) or name != plain]
    metric, _ = Metric.objects.get_or_create(
        study=study,
        name=chosen,
        defaults={
            "orientation": facts.orientation,
            "target": facts.target,
            "speaks_of": facts.speaks_of,
            "midpoint": facts.midpoint,
        },
    )
    return metric


def make_room(study: Study, names: Iterable[str]) -> None:
    """Give computed metrics the suffix where an import is about to bring their names."""
    arriving = {name.casefold() for name in names}
    for run in study.runs.filter(origin=MetricRun.Origin.COMPUTED).select_related("metric"):
        name = run.metric.name
        columns = {column_name(name, each, run.fields).casefold() for each in run.fields}
        if not name.endswith(SUFFIX) and arriving & {name.casefold(), *columns}:
            Metric.objects.filter(pk=run.metric_id).update(name=name + SUFFIX)


def _names(study: Study, origin: str) -> set[str]:
    names = study.metrics.filter(runs__origin=origin).values_list("name", flat=True)
    return {name.casefold() for name in names}
