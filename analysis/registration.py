"""What this room registers at start; statistics are imported only by what computes."""

from typing import TYPE_CHECKING, Any

from analysis.preregistration.table import PreregistrationsTable
from analysis.published.table import PublishedValuesTable
from corpus.deletion import register_removal
from corpus.jobs.registry import register_job
from corpus.pruning import register_leftovers, register_unfinished
from corpus.tables import register_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.contrib.auth.models import User
    from django.db.models import Q

    from corpus.jobs.progress import Progress
    from corpus.models import Job, Study
    from corpus.pruning import Leftover


def _run_read_study(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.reading_job import run_read_study

    return run_read_study(job, progress)


def _run_compare_outputs(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.choosing.comparing import run_compare_outputs

    return run_compare_outputs(job, progress)


def _run_report(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.reports.report_job import run_report

    return run_report(job, progress)


def _run_report_part(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.reports.report_job import run_report_part

    return run_report_part(job, progress)


def _run_freeze(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.frozen.service import run_freeze

    return run_freeze(job, progress)


def _run_publish(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.publishing.service import run_publish

    return run_publish(job, progress)


def _run_sweep(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.sweeps.service import run_sweep

    return run_sweep(job, progress)


def _run_judge_pairs(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.judging.pairs_job import run_judge_pairs

    return run_judge_pairs(job, progress)


def _run_text_map(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.text_map.service import run_text_map

    return run_text_map(job, progress)


def _run_look(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.stopping.job import run_look

    return run_look(job, progress)


def _run_collection(job: "Job", progress: "Progress") -> dict[str, Any]:
    from analysis.collections.service import run_collection

    return run_collection(job, progress)


def _collections_seen(user: "User") -> "Q":
    from analysis.collections.access import jobs_seen_by

    return jobs_seen_by(user)


def _delete_of_study(study: "Study") -> None:
    from analysis.deletion import delete_of_study

    delete_of_study(study)


def _old_results(now: "datetime") -> "Iterator[Leftover]":
    from analysis.pruning import old_results

    return old_results(now)


register_leftovers(_old_results)
register_unfinished("columns/*/unfinished-*")
register_table(PreregistrationsTable())
register_table(PublishedValuesTable())
register_job("collection", _run_collection, bounded=True, seen=_collections_seen)
register_job("compare-outputs", _run_compare_outputs, bounded=True)
register_job("freeze", _run_freeze)
register_job("judge-pairs", _run_judge_pairs, heavy=True)
register_job("publish", _run_publish)
register_job("read-study", _run_read_study, bounded=True)
register_job("report", _run_report, bounded=True)
register_job("report part", _run_report_part)
register_job("stopping rule", _run_look)
register_job("sweep", _run_sweep, heavy=True)
register_job("text-map", _run_text_map, bounded=True, heavy=True)
register_removal(_delete_of_study)
