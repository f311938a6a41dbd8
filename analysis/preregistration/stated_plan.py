"""A plan that a file states: read by its schema, so that every page can show what is stored."""

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from analysis.models import Preregistration
from analysis.preregistration.content import FORMAT, canonical
from analysis.reports.catalogue import LISTED
from corpus.tabular.plain import PlainError, check_levels, from_plain

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
