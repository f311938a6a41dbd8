"""Reading vocabulary of the study pages: the list of studies, and what is known of one."""

import json
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from corpus.imports.options import CHANGING, ImportOptions
from corpus.models import AuditEntry, Job, Output, Segment, Study, System

ARROW = " → "


def studies_listed(user: User | AnonymousUser) -> QuerySet[Study]:
    """Studies that a person may open, each with its counts and its last change."""
    return Study.objects.visible_to(user).annotate(
        segment_count=_counted(Segment.objects.all()),
        system_count=_counted(System.objects.filter(kind=System.Kind.SYSTEM)),
        output_count=_counted(Output.objects.filter(system__kind=System.Kind.SYSTEM)),
        changed_at=Coalesce(
            Subquery(
                AuditEntry.objects.filter(study=OuterRef("pk"))
                .order_by("-id")
                .values("created_at")[:1]
            ),
            "created_at",
        ),
    )


def _counted(rows: QuerySet[Any]) -> Coalesce:
    counts = rows.filter(study=OuterRef("pk")).order_by().values("study")
    return Coalesce(Subquery(counts.annotate(n=Count("*")).values("n")), 0)


def directions(study: Study) -> list[dict[str, Any]]:
    """Return each direction of a study with its number of segments, most frequent first."""
    rows = (
        study.segments.order_by()
        .values("source_style", "target_style")
        .annotate(segments=Count("*"))
        .order_by("-segments", "source_style", "target_style")
    )
    return [
        {**row, "name": direction_name(row["source_style"], row["target_style"])} for row in rows
    ]


def direction_name(source_style: str, target_style: str) -> str:
    """Name a direction as pages do.

    Examples
    --------
    >>> direction_name("informal", "formal")
    'informal → formal'
    >>> direction_name("", "")
    'not stated'
    """
    if not (source_style or target_style):
        return "not stated"
    return f"{source_style or 'not stated'}{ARROW}{target_style or 'not stated'}"


def running_import(study: Study) -> Job | None:
    """Return the import of a study that waits or runs, of which there is at most one."""
    return study.jobs.active().filter(kind="import").first()


def recent_imports(study: Study, most: int = 5) -> list[dict[str, Any]]:
    """Return the latest imports of a study, each with its result in words."""
    jobs = study.jobs.filter(kind="import").select_related("created_by")[:most]
    return [{"job": job, "words": result_words(job)} for job in jobs]


def result_words(job: Job) -> str:
    """Say in a line what an import did.

    Examples
    --------
    >>> tables = {"outputs": {"added": 8, "unchanged": 0}, "ratings": {"added": 0, "unchanged": 2}}
    >>> result_words(Job(state="done", result={"tables": tables}))
    'outputs: 8 added; ratings: 2 stored already'
    >>> result_words(Job(state="failed", result={"problems": [{}], "problems_total": 7}))
    'nothing imported: 7 problems'
    """
    if job.state == Job.State.FAILED:
        count = job.result.get("problems_total", 0)
        return (
            f"nothing imported: {count} problem{'' if count == 1 else 's'}" if count else job.error
        )
    if job.state != Job.State.DONE:
        return ""
    parts = []
    for name, counts in job.result.get("tables", {}).items():
        words = [
            f"{counts[key]:,} {label}"
            for key, label in (("added", "added"), ("unchanged", "stored already"))
            if counts.get(key)
        ]
        parts.append(f"{name.replace('_', ' ')}: {', '.join(words)}")
    return "; ".join(parts) or "nothing new"


def provenance_words(entry: Any) -> str:
    """Say in words what one import did to the texts that it brought.

    Examples
    --------
    >>> provenance_words({"sample": 20, "sample_seed": 7})
    'a sample of 20 segments of each direction was kept (seed 7)'
    >>> provenance_words({"collapse_whitespace": True, "truncate_words": 50})
    'white space in texts was collapsed; texts were cut after 50 words'
    """
    if not isinstance(entry, dict) or set(entry) - CHANGING:
        return entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)
    options = ImportOptions.from_dict(entry)
    words = []
    if options.filters_length:
        low, high = options.min_length_percentile or 0, options.max_length_percentile
        words.append(
            f"segments were kept whose source has a length between percentiles {low:g} and "
            f"{100 if high is None else high:g} of its direction"
        )
    if options.filters_changes:
        share, count = options.max_changed_share, options.max_changed_words
        bounds = [] if count is None else [f"{count} words"]
        bounds += [] if share is None else [f"{share:.3g} of the words"]
        words.append(
            f"segments were kept with at most {' and '.join(bounds)} removed or added between "
            f"source and {options.changed_in}"
        )
    if options.sample:
        words.append(
            f"a sample of {options.sample} segments of each direction was kept "
            f"(seed {options.sample_seed})"
        )
    if options.collapse_whitespace:
        words.append("white space in texts was collapsed")
    if options.attach_punctuation:
        words.append("punctuation was attached to words")
    if options.truncate_words:
        words.append(f"texts were cut after {options.truncate_words} words")
    return "; ".join(words)
