"""Names of computed metrics and of metric runs.

A metric row is either imported or computed, never both. Where an imported table has the same name,
the computed metric is called, say, ``chrf (computed)``.

Each run has one name: short, unique in its study, and never changed. It begins with the metric and
states what differs from the metric's defaults, parts split by slashes:
``bleu/source/style_masked/tokenize=char``. It is stored when the run is made, so that a name that
was once shown goes on meaning the same run, whatever is scored or imported later.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from corpus.models import Study
from corpus.texts.masking import PLACEHOLDER
from metrics.catalogue import MetricFacts
from metrics.models import Metric, MetricRun
from metrics.runs.text_settings import PARAMETERS as ATTRIBUTION_PARAMETERS
from metrics.scorers.registry import UnknownMetric, scorer_class
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
    metric, _ = Metric.objects.get_or_create(study=study, name=chosen, defaults=facts.stored)
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


LONGEST_NAME = 200
_LONGEST_READABLE = 120
_LONGEST_METRIC = 80
_SHORT_VALUE = re.compile(r"[\w.+%-]{1,24}")
_DIGITS = 6


def number_name(run: str, number: str, numbers: Sequence[str]) -> str:
    """Name one number of a run.

    Examples
    --------
    >>> number_name("bertscore/source", "f", ["p", "r", "f"])
    'bertscore-f/source'
    >>> number_name("bleu/source", "score", ["score"])
    'bleu/source'
    """
    metric, slash, settings = run.partition("/")
    return f"{column_name(metric, number, numbers)}{slash}{settings}"


def short_hash(signature: str) -> str:
    """Name a computed run in archives and in requests, the same wherever its study is."""
    return sha256(signature.encode()).hexdigest()[:12]


def all_names(run: str, fields: Sequence[str], *, is_distribution: bool) -> list[str]:
    """Return the name of a run and those of its numbers."""
    if is_distribution:
        return [run]
    return list(dict.fromkeys([run, *(number_name(run, each, fields) for each in fields)]))


def free_name(
    run: MetricRun,
    taken: set[str],
    *,
    version: str = "",
    parts: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the shortest name of a run that no other has.

    Parameters
    ----------
    run
        Not stored yet.
    taken
        Names of the study's other runs and of their numbers, by `str.casefold`.
    version
        Of the program that computes it.
    parts
        Names of the scores that a combination takes, by their keys in the request.
    """
    for name in _wanted(run, version, parts):
        if is_free(name, run, taken):
            return name
    raise AssertionError("the hash of a signature belongs to one run")


def is_free(name: str, run: MetricRun, taken: set[str]) -> bool:
    """Whether neither a name nor those of the run's numbers belong to another run."""
    names = all_names(name, run.fields, is_distribution=run.is_distribution)
    return not taken & {each.casefold() for each in names}


def _wanted(run: MetricRun, version: str, parts: Mapping[str, str]) -> Iterator[str]:
    """Yield names of a run, the shortest first; the last belongs to no other."""
    digits = sha256(run.signature.encode()).hexdigest()
    said = [*_settings(run), *_changed_parameters(run, parts)]
    more = [*said]
    tries = [said]
    for further in (_details(run), _origin(run, version)):
        if further:
            more = [*more, *further]
            tries.append(more)
    metric = " ".join(run.metric.name.replace(",", " ").split())[:_LONGEST_METRIC]
    for tried in tries:
        name = "/".join([metric, *tried])
        if len(name) <= _LONGEST_READABLE:
            yield name
    short = "/".join([metric, *said])
    if len(short) > _LONGEST_READABLE:
        short = metric
    yield f"{short}/run-{digits[:_DIGITS]}"
    yield f"{short}/run-{digits}"[:LONGEST_NAME]


def _settings(run: MetricRun) -> Iterator[str]:
    """Yield what a run compares with, and what its texts are where they are not plain."""
    if run.compared_to:
        yield _clean(run.compared_to)
    if run.text_setting:
        yield _clean(run.text_setting)
    text = run.request.get("text", {})
    usual: dict[str, Any] = {"threshold": 0.0, "placeholder": PLACEHOLDER}
    if text.get("by") == "attribution":
        yield "attribution"
        usual = {each.name: each.default for each in ATTRIBUTION_PARAMETERS}
    for name, value in text.items():
        if name in usual and value != usual[name]:
            yield f"{name}={_written(value)}"


def _changed_parameters(run: MetricRun, parts: Mapping[str, str]) -> Iterator[str]:
    """Yield the parameters that differ from the metric's defaults."""
    try:
        parameters = scorer_class(str(run.request.get("metric", ""))).spec.parameters
    except UnknownMetric:
        return
    given = run.request.get("parameters", {})
    for each in parameters:
        value = given.get(each.name, each.default)
        names = [parts.get(part, part) for part in str(value).split(",")]
        is_of_parts = any(part in parts for part in str(value).split(","))
        if (",".join(names) if is_of_parts else value) == each.default:
            continue
        if is_of_parts:
            combined = "+".join(_clean(name.partition("#")[0]) for name in names)
            yield combined if each.name == "parts" else f"{each.name}={combined}"
        else:
            yield f"{each.name}={_written(value)}"


def _details(run: MetricRun) -> list[str]:
    """Return trained models, the lexicon or model of style words, and the aspect."""
    text = run.request.get("text", {})
    named = [*run.request.get("models", {}).values(), text.get("lexicon"), text.get("model")]
    aspect = run.aspect if run.origin == MetricRun.Origin.IMPORTED else ""
    return [_clean(str(each)) for each in (*named, aspect) if each]


def _origin(run: MetricRun, version: str) -> list[str]:
    if run.origin == MetricRun.Origin.IMPORTED:
        return ["distribution"] if run.is_distribution else ["imported"]
    return [f"touchstone-{version}"] if version else []


def _written(value: object) -> str:
    """Write a value that is short as it is, another one as a hash."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    if _SHORT_VALUE.fullmatch(text):
        return text
    return f"~{sha256(text.encode()).hexdigest()[:_DIGITS]}"


def _clean(text: str) -> str:
    """Leave out what would be read as the next part of a name, or as the next name."""
    return " ".join(re.sub(r"[/#]", "-", text.replace(",", " ")).split())


def taken_names(study: Study) -> set[str]:
    """Return the names of a study's runs and of their numbers, by `str.casefold`."""
    rows = study.runs.values_list("name", "fields", "is_distribution")
    return {
        name.casefold()
        for run, fields, is_distribution in rows
        for name in all_names(run, fields, is_distribution=is_distribution)
    }
