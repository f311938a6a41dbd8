"""The one short transaction in which an import becomes visible."""

from collections.abc import Sequence
from typing import Any

from corpus.imports.batch import Batch
from corpus.imports.declarations import merged
from corpus.imports.keys_only import holds_keys_only
from corpus.imports.recognise import Recognised
from corpus.models import AuditEntry, Job, Study
from corpus.tables.register import Counts, TableHandler


def publish(batch: Batch, recognised: Recognised, used: Sequence[TableHandler]) -> dict[str, Any]:
    """Copy from staging and write the job's result, in one transaction.

    The number of statements does not depend on the number of rows.
    """
    with batch.writing():
        counts = {handler.spec.name: handler.publish(batch) for handler in used}
        changed = _update_study(batch, recognised.study_json, counts)
        result = {
            "published": True,
            "changed": changed,
            "tables": {
                name: {"added": count.added, "unchanged": count.unchanged}
                for name, count in counts.items()
                if count.added or count.unchanged
            },
            "files": [
                {"name": file.source.name, "tables": [m.table for m in file.mappings]}
                for file in recognised.files
            ],
            "unrecognised": [list(entry) for entry in recognised.unrecognised],
            "notes": batch.notes,
            **batch.facts,
        }
        if changed:
            AuditEntry.record(
                batch.study,
                batch.job.created_by,
                "import",
                ", ".join(file.source.name for file in recognised.files),
                after={"tables": result["tables"], "options": batch.options.to_dict()},
            )
        Job.objects.filter(pk=batch.job.pk).update(result=result)
    return result


def _update_study(batch: Batch, declared: dict[str, Any], counts: dict[str, Counts]) -> bool:
    """Store what the import says of the study itself; return whether anything changed."""
    study = Study.objects.select_for_update().get(pk=batch.study.pk)
    before = _content(study)
    added = any(count.added for count in counts.values())
    study.title = study.title or declared.get("title", "")
    study.description = study.description or declared.get("description", "")
    study.language = declared.get("language", study.language)
    study.simulated = study.simulated or declared.get("simulated", False)
    study.without_texts = holds_keys_only(batch)
    study.declarations = merged(study.declarations, declared)
    applied = batch.options.changes_texts()
    entries = [*declared.get("provenance", []), *([applied] if added and applied else [])]
    for entry in entries:
        if entry is applied or entry not in study.provenance:
            study.provenance = [*study.provenance, entry]
    if not added and _content(study) == before:
        return False
    study.revision += 1
    study.save()
    return True


def _content(study: Study) -> tuple[Any, ...]:
    return (
        study.title,
        study.description,
        study.language,
        study.simulated,
        study.without_texts,
        study.declarations,
        study.provenance,
    )
