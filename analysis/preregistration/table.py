"""Preregistrations in and out of a study's archive, each with its hash."""

from collections.abc import Iterator

from django.utils import timezone

from analysis.models import Preregistration
from analysis.preregistration.stated_plan import StatedPlanError, registered_at
from annotation.models import Campaign
from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.models import Study
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec

SPEC = TableSpec(
    name="preregistrations",
    title="Preregistrations: what was to be found out, and how, before the first rating",
    fields=(
        Field("campaign", "key", required=True, longest=100),
        Field("version", "integer", required=True, help="from 1"),
        Field("plan", "text", required=True, help="all that was registered, as canonical JSON"),
        Field("sha256", "key", required=True, help="of the content", longest=64),
        Field("public", "choice", choices=("true", ""), help="anybody may read it"),
    ),
    recognised_by=(("plan", "sha256"),),
    file_names=("preregistrations",),
)
_Row = tuple[int, int, str, int, str, str, str]


class PreregistrationsTable(TableHandler):
    """Handler of preregistrations; they are few, so they wait in memory."""

    spec = SPEC
    order = 70

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Keep the rows for the checks."""
        waiting = batch.memory.setdefault(SPEC.name, [])
        before = len(waiting)
        waiting.extend((file, line, *values) for line, values in records)
        return len(waiting) - before

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """What is no plan, doubles, versions stored otherwise, and plans of campaigns made here."""
        stored, made_here = _stored(batch.study), _made_here(batch.study)
        seen: set[tuple[str, int]] = set()
        for file, line, campaign, version, content, sha256, _ in _waiting(batch):
            key = (campaign, version)
            try:
                registered_at(campaign, version, content, sha256)
            except StatedPlanError as error:
                yield RowProblem(
                    file, line, error.field, error.found, error.expected, str(error), "plan"
                )
            if key in seen:
                message = "a version of a campaign’s plan stands in the table once"
                yield RowProblem(
                    file, line, "version", str(version), "each once", message, "duplicate"
                )
            seen.add(key)
            if stored.get(key, sha256) != sha256:
                message = "what was registered does not change; import it into another study"
                yield RowProblem(
                    file, line, "sha256", sha256, f"{stored[key]}, as stored", message, "differs"
                )
            elif key not in stored and campaign in made_here:
                message = (
                    f"campaign {campaign} was made here, so that its plan is registered on its own "
                    "page, before the first rating; import this table into another study"
                )
                yield RowProblem(
                    file, line, "campaign", campaign, "a campaign that was not made here", message,
                    "made-here",
                )  # fmt: skip

    def publish(self, batch: Batch) -> Counts:
        """Insert the versions that are not stored yet, as imported: this server saw none."""
        stored, waiting, now = _stored(batch.study), _waiting(batch), timezone.now()
        fresh = [
            Preregistration(
                study=batch.study,
                campaign=campaign,
                version=version,
                content_json=content,
                sha256=sha256,
                public=public == "true",
                registered_at=registered_at(campaign, version, content, sha256),
                imported_at=now,
            )
            for _, _, campaign, version, content, sha256, public in waiting
            if (campaign, version) not in stored
        ]
        Preregistration.objects.bulk_create(fresh)
        return Counts(added=len(fresh), unchanged=len(waiting) - len(fresh))

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the plans by campaign and version."""
        plans = Preregistration.objects.filter(study=study).order_by("campaign", "version")
        rows = [
            (p.campaign, p.version, p.content_json, p.sha256, "true" if p.public else "")
            for p in plans
        ]
        if rows:
            yield ExportedTable.plain(SPEC.name, SPEC.names, rows)


def _stored(study: Study) -> dict[tuple[str, int], str]:
    rows = Preregistration.objects.filter(study=study)
    return {(c, v): sha256 for c, v, sha256 in rows.values_list("campaign", "version", "sha256")}


def _made_here(study: Study) -> set[str]:
    live = study.campaigns.filter(origin=Campaign.Origin.LIVE)
    return set(live.values_list("slug", flat=True))


def _waiting(batch: Batch) -> list[_Row]:
    return list(batch.memory.get(SPEC.name, []))
