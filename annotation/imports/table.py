"""Ratings made elsewhere, in and out: imported as what they are, one campaign a table."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.imports.checks import rating_problems
from annotation.imports.declared import declared_campaigns
from annotation.imports.export import export_ratings
from annotation.imports.publish import join_comments, publish_ratings
from annotation.imports.raters import unnamed_files
from annotation.imports.reading import STAGED_COLUMNS, RatingReader
from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.models import Study
from corpus.tables.keys import SEGMENT, SYSTEM
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, Spread, TableSpec

_COLUMNS = tomllib.loads(Path(__file__).with_name("ratings.toml").read_text(encoding="utf-8"))[
    "fields"
]
SPEC = TableSpec(
    name="ratings",
    title="Ratings: a judgement of an output by a rater, or by several together",
    fields=(SEGMENT, SYSTEM, *(Field(**each) for each in _COLUMNS)),
    wide=(
        Spread("rater", "score"),
        Spread("aspect", "score"),
    ),
    one_of=(("score", "judgement"),),
    recognised_by=(
        ("score", "judgement"),
        ("rater", "aspect", "task", "against", "rater_count"),
    ),
    file_names=("rating", "judg", "human", "annotation"),
    told_apart_by=(
        *("rater", "aspect", "campaign", "revision", "against", "variant"),
        *("item_kind", "occasion"),
    ),
)


class RatingsTable(TableHandler):
    """Handler of ratings."""

    spec = SPEC
    order = 40
    staging = ("annotation_stagedrating",)
    declaration_key = "campaigns"

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Write judgements into staging, each as a number or a choice."""
        reader = RatingReader(batch, file)
        count = batch.insert("annotation_stagedrating", STAGED_COLUMNS, reader.rows(records))
        if reader.is_unnamed:
            files = unnamed_files(batch)
            (files.by_line if reader.columns.is_by_line else files.by_aspect).append(file)
        return count

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicates, unknown outputs, answers off the scale, changed answers."""
        yield from rating_problems(batch, SPEC)

    def prepare(self, batch: Batch) -> None:
        """Make the comments of one submission one."""
        join_comments(batch)

    def publish(self, batch: Batch) -> Counts:
        """Create campaigns, annotators, items, submissions and ratings that are new."""
        return publish_ratings(batch)

    def declare(self, study: Study) -> dict[str, Any]:
        """Say which protocol each campaign followed, on which scales, and of which set it is."""
        return {"campaigns": declared_campaigns(study)}

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give every rating of every revision, in the order in which they came."""
        return export_ratings(study)
