"""Staged blocks into place, with their runs, and what the import says of their metrics."""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
from django.db import connection
from django.utils import timezone

from corpus.imports.batch import Batch
from corpus.imports.checks import note_aspects
from corpus.imports.statements import execute
from corpus.tables.register import Counts
from metrics.catalogue import STORED_FACTS, MetricFacts, Orientation, declared_metric, known_metric
from metrics.imports.staging import (
    STATISTIC,
    RunKey,
    described_runs,
    metric_facts,
    staged_numbers,
    staged_runs,
)
from metrics.models import Metric, MetricRun, Undefined
from metrics.runs.names import free_name, is_free, make_room, metric_of_computed, taken_names
from metrics.scorers.registry import scorers

DECLARED, CATALOGUE, METRIC, UNKNOWN = "declared", "catalogue", "metric", "unknown"
RULES: Mapping[str, str] = {
    DECLARED: "declared in the files",
    CATALOGUE: "from the catalogue of published metrics, by its name",
    METRIC: "by the definition of the metric, which was computed by this program",
    UNKNOWN: "neither the files nor the catalogue state it; correlations stay raw until an "
    "owner does",
}
RESULT = "orientations"
"""Where the result of an import holds them."""


def tell_orientation(
    batch: Batch, metric: Metric, facts: MetricFacts, *, is_computed: bool = False
) -> None:
    """Put a metric that an import has oriented into the import's result, once."""
    entries: list[dict[str, Any]] = batch.facts.setdefault(RESULT, [])
    rule = _rule(batch, metric.name, facts, is_computed=is_computed)
    entry = {
        "metric": metric.name,
        "orientation": facts.orientation,
        "meaning": _meaning(facts),
        "rule": rule,
        "reason": RULES[rule],
    }
    if metric.name not in [each["metric"] for each in entries]:
        entries.append(entry)


def read_sign(batch: Batch, key: RunKey, facts: MetricFacts) -> MetricFacts:
    """Let the scores say which way is better, of a metric that is published with either sign.

    A penalty is 0 or more, and 0 or less once it has a minus sign; regressors overshoot 0 a little,
    so that the mean decides.
    """
    values = staged_numbers(batch).of(staged_runs(batch).place(key))["value"]
    mean = float(np.nanmean(values)) if np.isfinite(values).any() else 0.0
    orientation: Orientation = "lower" if mean > 0 else "higher" if mean < 0 else "unknown"
    if orientation == "unknown":
        return replace(facts, orientation=orientation)
    found = (
        "above 0: they are read as penalties"
        if mean > 0
        else "below 0: penalties with a minus sign"
    )
    note = (
        f"it is published with either sign, and the mean of its scores here ({mean:.3g}) is {found}"
    )
    return replace(facts, orientation=orientation, note=note)


def _rule(batch: Batch, name: str, facts: MetricFacts, *, is_computed: bool) -> str:
    declared = batch.declarations.get("metrics", {}).get(name)
    if facts.orientation == "unknown":
        return UNKNOWN
    if declared is not None:
        return DECLARED
    if is_computed and name in scorers():
        return METRIC
    return CATALOGUE if known_metric(name) else METRIC


def _meaning(facts: MetricFacts) -> str:
    """Say which way is better, in words."""
    words = str(Metric.Orientation(facts.orientation).label)
    if facts.target is not None:
        words += f" ({facts.target:g})"
    if facts.speaks_of:
        words += f", toward the style {facts.speaks_of}"
    return words


MISSING_REASON = "missing in the imported table"


def publish_scores(batch: Batch, *, is_distribution: bool) -> Counts:
    """Create metrics and runs, and replace the blocks that changed by copies of staged ones."""
    runs = staged_runs(batch)
    places = runs.of(is_distribution=is_distribution)
    note_aspects(batch, (runs.keys[place].aspect for place in places))
    imported = {runs.keys[place].metric for place in places if not runs.keys[place].given}
    make_room(batch.study, imported)
    for place in places:
        key = runs.keys[place]
        fields = [name for name in runs.fields[place] if not name.startswith(STATISTIC)]
        run = publish_run(batch, key, fields)
        parameters = {"job": batch.job.pk, "run": run.pk, "signature": key.signature}
        execute(
            """DELETE FROM metrics_scoreblock WHERE run_id = %(run)s AND number IN
                   (SELECT number FROM metrics_stagedblock
                    WHERE job_id = %(job)s AND signature = %(signature)s)""",
            parameters,
        )
        copied = execute(
            """INSERT INTO metrics_scoreblock (run_id, number, "values", statistics)
               SELECT %(run)s, number, "values", statistics FROM metrics_stagedblock
               WHERE job_id = %(job)s AND signature = %(signature)s""",
            parameters,
        )
        if copied:
            note_import(run)
            digest = sha256()
            for block in run.blocks.order_by("number").values_list("values", flat=True):
                digest.update(block)
            MetricRun.objects.filter(pk=run.pk).update(content_sha256=digest.hexdigest())
        _explain_missing(batch, place, fields, run)
    counts: Counts = batch.memory.get(("scores", is_distribution), Counts(0, 0))
    return counts


def publish_runs_of_systems(batch: Batch) -> None:
    """Create the runs of metrics that score systems; they have no scores that could create them."""
    for described in described_runs(batch).values():
        if not described.columns:
            run = publish_run(batch, described.key, [])
            MetricRun.objects.filter(pk=run.pk).update(content_sha256=sha256().hexdigest())


def note_import(run: MetricRun) -> None:
    """Say of a run that scores of it came by an import, also of one that was computed here."""
    if run.imported_at is None:
        run.imported_at = timezone.now()
        run.save(update_fields=["imported_at"])


def apply_declarations(batch: Batch) -> None:
    """Let a declaration speak for stored metrics of which nothing was known; keep the others."""
    declared = batch.declarations.get("metrics", {})
    for metric in Metric.objects.filter(study=batch.study, name__in=list(declared)):
        facts = declared_metric(declared[metric.name], metric.name)
        known = {name: getattr(metric, name) for name in STORED_FACTS}
        if facts.stored == known or facts.orientation == "unknown":
            continue
        if metric.orientation == Metric.Orientation.UNKNOWN:
            for name, value in facts.stored.items():
                setattr(metric, name, value)
            metric.save()
            tell_orientation(batch, metric, facts)
        else:
            batch.note(
                f"{metric.name} is declared as “{facts.orientation}” here and stored as "
                f"“{metric.orientation}”; the stored one stays, change it on the metrics page."
            )


def publish_run(batch: Batch, key: RunKey, fields: list[str]) -> MetricRun:
    """Return a run by its signature; made if it is not there, with the names of its numbers."""
    run = MetricRun.objects.filter(study=batch.study, signature=key.signature).first()
    if run is not None:
        if fields and not run.fields:  # Until now it had scores of systems only.
            run.fields = fields
            run.save(update_fields=["fields"])
        return run
    facts = metric_facts(batch, key.metric)
    computed = next(
        (run for run in described_runs(batch).values() if run.signature == key.given), None
    )
    is_distribution = key.is_distribution or bool(computed and computed.is_distribution)
    if is_distribution:
        facts = MetricFacts("descriptive")
    elif facts.has_either_sign:
        facts = read_sign(batch, key, facts)
    known = set(batch.study.metrics.values_list("pk", flat=True))
    metric = (
        metric_of_computed(batch.study, key.metric, fields, facts)
        if computed
        else _imported_metric(batch, key.metric, facts)
    )
    if metric.pk not in known and not is_distribution:
        tell_orientation(batch, metric, facts, is_computed=computed is not None)
    run = MetricRun(
        study=batch.study,
        metric=metric,
        signature=key.signature,
        aspect=key.aspect,
        compared_to=key.compared_to,
        text_setting=key.text_setting,
        fields=fields,
        is_distribution=is_distribution,
        origin=MetricRun.Origin.COMPUTED if computed else MetricRun.Origin.IMPORTED,
        request=computed.request if computed else {},
        versions=computed.versions if computed else {},
        imported_at=timezone.now(),
    )
    run.name = _name(batch, run, computed.name if computed else "")
    run.save()
    return run


def _name(batch: Batch, run: MetricRun, given: str) -> str:
    """Name a run as its archive does, if it does; names that the archive gives to others stay."""
    taken = taken_names(batch.study)
    if given and is_free(given, run, taken):
        return given
    for other in described_runs(batch).values():
        if other.signature != run.signature:
            taken |= {name.casefold() for name in other.names}
    version = str(run.versions.get("libraries", {}).get("touchstone", ""))
    return free_name(run, taken, version=version)


def _imported_metric(batch: Batch, name: str, facts: MetricFacts) -> Metric:
    metric, created = Metric.objects.get_or_create(
        study=batch.study, name=name, defaults=facts.stored
    )
    if created and facts.orientation == "unknown":
        batch.note(
            f"It is not known whether higher or lower {name} is better: its correlations stay "
            "raw until you state it on the metrics page."
        )
    if created and facts.note:
        batch.note(
            f"{name} is stored as “{metric.get_orientation_display()}”: {facts.note}. You can "
            "change it on the metrics page."
        )
    return metric


def _explain_missing(batch: Batch, place: int, fields: list[str], run: MetricRun) -> None:
    """Say why staged scores are missing, and no longer of those that are given now."""
    stored = Undefined.objects.filter(run=run).values_list("pk", "field", "output__ordinal")
    if explained := list(stored):
        numbers = staged_numbers(batch).of(place)
        numbers = numbers[~np.isnan(numbers["value"])]
        given = set(zip(numbers["field"].tolist(), numbers["ordinal"].tolist(), strict=True))
        index = {name: number for number, name in enumerate(fields)}
        solved = [(pk,) for pk, name, output in explained if (index.get(name), output) in given]
        with connection.cursor() as cursor:
            cursor.executemany("DELETE FROM metrics_undefined WHERE id = %s", solved)
    for number, name in enumerate(fields):
        execute(
            """INSERT INTO metrics_undefined (run_id, output_id, field, reason)
               SELECT %(run)s, o.id, %(name)s, COALESCE(NULLIF(st.reason, ''), %(reason)s)
               FROM metrics_stagedscore st
               JOIN corpus_output o ON o.study_id = %(study)s AND o.ordinal = st.ordinal
               WHERE st.job_id = %(job)s AND st.run = %(place)s AND st.field = %(number)s
               ON CONFLICT DO NOTHING""",
            {
                "study": batch.study.pk,
                "job": batch.job.pk,
                "run": run.pk,
                "place": place,
                "number": number,
                "name": name,
                "reason": MISSING_REASON,
            },
        )
