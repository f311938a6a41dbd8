"""Changing how a study's names of aspects are read, what metrics measure, and what is pooled."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import AuditEntry, Study

Entry = Mapping[str, str]
"""``{"aspect": key}`` or ``{"family": family}``; see `corpus.vocabulary.aspects.check_declared`."""


def change_readings(
    study: Study,
    names: Mapping[str, Entry | None],
    families: Mapping[str, str],
    pooled: Mapping[str, str],
    actor: User,
) -> list[str]:
    """Store readings of names, families of metrics, and campaigns pooled; return what changed.

    None, or an empty text, takes back what was declared. The change is recorded, and the study's
    revision grows, so that reports are computed anew.

    Parameters
    ----------
    names
        Names of aspects and what each is read as; checked before.
    families
        Names of metrics and the family of aspects that each measures; checked before.
    pooled
        Campaigns and the one that asked the same in the same way as each; checked before.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        before = study.declarations
        aspects = before.get("aspects", {})
        metrics = before.get("metrics", {})
        after = before | {
            "aspects": _without_empty(aspects | {name: dict(e or {}) for name, e in names.items()}),
            "metrics": metrics
            | {name: _with_family(metrics.get(name, {}), each) for name, each in families.items()},
            "pooled": _without_empty(before.get("pooled", {}) | dict(pooled)),
        }
        after["metrics"] = _without_empty(after["metrics"])
        changed = [name for name in names if after["aspects"].get(name) != aspects.get(name)]
        changed += [name for name in families if after["metrics"].get(name) != metrics.get(name)]
        known = before.get("pooled", {})
        changed += [name for name in pooled if after["pooled"].get(name) != known.get(name)]
        if changed:
            study.declarations = after
            study.revision += 1
            study.save(update_fields=["declarations", "revision"])
            AuditEntry.record(study, actor, "declare", before=before, after=after)
    return changed


def _with_family(facts: Mapping[str, Any], family: str) -> dict[str, Any]:
    others = {name: value for name, value in facts.items() if name != "family"}
    return others | {"family": family} if family else others


def _without_empty(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entry for name, entry in entries.items() if entry}
