"""Preregistrations in and out of a study's archive, each read by its schema and with its hash."""

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from analysis.models import Preregistration
from analysis.preregistration.service import FORMAT, canonical
from analysis.reports.catalogue import LISTED
from annotation.models import Campaign
from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.models import Study
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.plain import PlainError, check_levels, from_plain
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec

_LARGEST_VERSION = 32_767  # of a small integer column
_EARLIEST = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True)
class _Primary:
    kind: str
    question: dict[str, list[str]]


@dataclass(frozen=True)
class _Stopping:
    enough_when: str
    method: str
    adaptive: bool
    automatic: bool


@dataclass(frozen=True)
class StatedPlan:
    """What a preregistration says; the design is compared part by part, and read only there."""

    format: str
    study: str
    campaign: str
    version: int
    registered_at: str
    question: str
    primary: _Primary
    design: dict[str, Any]
    title: str = ""
    exclusions: str = ""
    notes: str = ""


class StatedPlanError(ValueError):
    """A plan that cannot be stored; `field` names the column, the message says why."""

    def __init__(self, field: str, found: object, expected: str, message: str) -> None:
        super().__init__(message)
        self.field, self.found, self.expected = field, str(found), expected


def registered_at(campaign: str, version: int, plan: str, sha256: str) -> dt.datetime:
    """Check a row of a table of preregistrations; return the time that its plan states.

    Raises
    ------
    StatedPlanError
        If the plan is not the one that was hashed, or not one that was registered in this format.
    """
    if Preregistration.hash_of(plan) != sha256:
        raise StatedPlanError(
            "sha256", sha256, "hash of the plan",
            "the content is not the one that was registered; take the original file",
        )  # fmt: skip
    try:
        content = json.loads(plan, parse_constant=_refused)
        check_levels(content)
        read: StatedPlan = from_plain(StatedPlan, content)
        if stopping := read.design.get("stopping"):
            from_plain(_Stopping, stopping, "stopping")
    except PlainError as error:
        raise _unlike(plan, str(error)) from None
    except (ValueError, RecursionError) as error:
        raise _unlike(plan, f"it is not JSON, or nested too deep: {error}") from None
    at = past_time(read.registered_at)
    if at is None:
        raise _unlike(plan, f"registered_at: {read.registered_at!r} is no past time with its zone")
    for fault, words in (
        (read.format != FORMAT, f"format: {read.format!r} is not {FORMAT!r}"),
        (canonical(content) != plan, "it is not canonical JSON: sorted keys, no spaces"),
        (read.campaign != campaign, f"campaign: {read.campaign!r} is not that of the row"),
        (read.version != version, f"version: {read.version} is not that of the row"),
        (not 1 <= version <= _LARGEST_VERSION, f"version: {version} does not count from 1"),
        (
            read.primary.kind not in {each.key for each in LISTED},
            f"primary.kind: {read.primary.kind!r} is no kind of report",
        ),
    ):
        if fault:
            raise _unlike(plan, words)
    return at


def past_time(text: str) -> dt.datetime | None:
    """Return a time that lies in the past and names its zone; None for everything else."""
    try:
        found = parse_datetime(text)
        is_past = found is not None and bool(found.tzinfo) and _EARLIEST <= found <= timezone.now()
    except (ValueError, OverflowError):
        return None
    return found if is_past else None


def _unlike(plan: str, words: str) -> StatedPlanError:
    message = f"this is no plan that was registered here or elsewhere ({words}); take the original"
    return StatedPlanError("plan", plan, f"JSON as {FORMAT} has it", f"{message} file")


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


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
                message = "a version of a campaign’s plan is listed in the table once"
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
