"""Frozen reports as they are published: raters renamed, computed again, with their inputs."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.data.judgements import AnnotatorView, Judgements
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.frozen.inputs import pack, sha256, unpack
from analysis.frozen.service import canonical_json, content_sha256, recomputed, saved
from analysis.models import FrozenReport
from analysis.publishing.content import ReportFile, Table
from analysis.publishing.personal_data import Pseudonyms
from analysis.reports.catalogue import LISTED, report_kind
from analysis.tables.flat_table import FlatTable
from analysis.tables.of_reports import flat_tables, sources_of

ROWS_SHOWN, TABLES_SHOWN = 30, 2
FOLDER = "reports"


@dataclass(frozen=True)
class PublishedReport:
    """A report with other names of raters; `changed` counts numbers that came out otherwise.

    Resampling draws annotators by their place, which another name changes.
    """

    frozen: FrozenReport
    report: dict[str, Any]
    inputs: bytes
    changed: int

    @property
    def sha256(self) -> str:
        """That of the content in canonical JSON."""
        return content_sha256(canonical_json(self.report))

    @property
    def stem(self) -> str:
        """Path in the publication without ending."""
        return f"{FOLDER}/{self.frozen.kind}-{self.sha256[:12]}"


def published_report(frozen: FrozenReport, names: Pseudonyms) -> PublishedReport:
    """Compute a frozen report again from its inputs, with the names of the publication."""
    data, published = unpack(bytes(frozen.inputs))
    question = Question.parse(frozen.question)
    answers = {pair.partition(":")[0] for pair in question.about}
    inputs = pack(
        renamed(data, names),
        published,
        statistics=report_kind(frozen.kind).statistics,
        answers=answers,
    )
    report = recomputed(frozen.study, inputs, frozen.kind, question)
    return PublishedReport(
        frozen, report, inputs, _changed(frozen.content["content"], report["content"])
    )


def _changed(before: Any, after: Any) -> int:
    """Count the numbers that only one of both has; tables of raters may have another order."""
    one, other = (Counter(map(_rounded, _numbers(each))) for each in (before, after))
    return max((one - other).total(), (other - one).total())


def _rounded(number: float) -> str:
    """Return a number without the digits in which two sums of the same numbers may differ."""
    return f"{number:.9g}"


def _numbers(content: Any) -> Iterator[float]:
    if isinstance(content, dict):
        for value in content.values():
            yield from _numbers(value)
    elif isinstance(content, list):
        for value in content:
            yield from _numbers(value)
    elif isinstance(content, int | float):
        yield float(content)


def _new_name(data: StudyData, annotator: AnnotatorView, names: Pseudonyms) -> str:
    if annotator.kind not in ("person", "place", "unstated") or not annotator.pseudonym:
        return annotator.pseudonym
    return names.name(data.judgements.campaigns[annotator.campaign].slug, annotator.pseudonym)


def renamed(data: StudyData, names: Pseudonyms) -> StudyData:
    """Return a study with other names of raters, in the order in which an import reads them."""
    judged = data.judgements
    fresh = [replace(each, pseudonym=_new_name(data, each, names)) for each in judged.annotators]
    order = sorted(range(len(fresh)), key=lambda n: (fresh[n].campaign, fresh[n].pseudonym))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    annotator = place[judged.annotator] if len(order) else judged.annotator
    # The campaigns keep the order in which their ratings came.
    campaigns, first = np.unique(judged.campaign, return_index=True)
    came = dict(zip(campaigns.tolist(), np.argsort(np.argsort(first)).tolist(), strict=True))
    rank = np.array([came[each] for each in judged.campaign.tolist()], dtype=np.int64)
    rows = np.lexsort((annotator, judged.second, judged.first, rank))
    arrays = {
        name: getattr(judged, name)[rows]
        for name in ("campaign", "aspect", "first", "second", "value", "choice", "side", "seconds")
    }
    # Not the numbers that the database has for them.
    annotators = tuple(replace(fresh[n], pk=number) for number, n in enumerate(order, start=1))
    judgements: Judgements = replace(
        judged, annotators=annotators, annotator=annotator[rows], **arrays
    )
    digest = hashlib.sha256(judgements.packed()).hexdigest()
    return replace(data, judgements=judgements, ratings_sha256=digest)


def zipped(published: PublishedReport) -> bytes:
    """Return report and inputs as they are published, with the hash of what was frozen."""
    return saved(
        published.frozen,
        published.report,
        published.inputs,
        sha256=published.sha256,
        inputs_sha256=sha256(published.inputs),
        frozen_sha256=published.frozen.sha256,
    )


def report_file(published: PublishedReport) -> ReportFile:
    """Return what documents say of a published report."""
    frozen, report = published.frozen, published.report
    listed = {kind.key: kind.answers for kind in LISTED}
    shown = next((s for s in sources_of(report) if s.startswith("filter: ")), "filter: none")
    tables = [table for table in flat_tables(report) if table.rows][:TABLES_SHOWN]
    return ReportFile(
        title=frozen.title,
        kind=frozen.kind,
        answers=listed.get(frozen.kind, ""),
        path=f"{published.stem}.zip",
        question=shown.removeprefix("filter: "),
        signature=report["signature"],
        sha256=published.sha256,
        frozen_sha256=frozen.sha256,
        ratings=report["counts"]["ratings"],
        raters=report["counts"]["annotators"],
        tables=tuple(_printed(table) for table in tables),
    )


def _printed(table: FlatTable) -> Table:
    wanted = [name for name in table.columns if name in (table.printed or table.columns)]
    places = [table.columns.index(name) for name in wanted]
    shown = [tuple(row[place] for place in places) for row in table.rows[:ROWS_SHOWN]]
    full = [n for n in range(len(places)) if any(row[n] not in (None, "") for row in shown)]
    return Table(
        title=table.title,
        columns=tuple(wanted[n].replace("_", " ") for n in full),
        rows=tuple(tuple(row[n] for n in full) for row in shown),
        all_rows=len(table.rows),
    )
