"""Changing what is declared of metrics: which way is better, and of which style they speak."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import AuditEntry, Study
from metrics.catalogue import STORED_FACTS, MetricFacts
from metrics.models import Metric


def declare_metrics(study: Study, wanted: Mapping[int, MetricFacts], actor: User) -> list[str]:
    """Store facts of metrics by primary key; return the names of those that changed.

    Each change is recorded, and the study's revision grows once, so that reports are computed
    anew.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        changed = []
        for metric in study.metrics.filter(pk__in=list(wanted)):
            before = {name: getattr(metric, name) for name in STORED_FACTS}
            after = wanted[metric.pk].stored
            if before == after:
                continue
            for name, value in after.items():
                setattr(metric, name, value)
            changed.append(metric)
            AuditEntry.record(
                study, actor, "declare metric", metric.name, before=before, after=after
            )
        if changed:
            Metric.objects.bulk_update(changed, STORED_FACTS)
            study.revision += 1
            study.save(update_fields=["revision"])
    return [metric.name for metric in changed]
