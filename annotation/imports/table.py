"""Ratings made elsewhere, in and out: imported as what they are, one campaign a table."""

from collections.abc import Iterator
from typing import Any

from annotation.imports.checks import rating_problems
from annotation.imports.declared import declared_campaigns
from annotation.imports.export import export_ratings
from annotation.imports.publish import join_comments, publish_ratings
from annotation.imports.reading import STAGED_COLUMNS, RatingReader
from corpus.handlers.keys import SEGMENT, SYSTEM
from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.models import Study
from corpus.tables import Counts, ExportedTable, TableHandler
from corpus.tabular.blocks import Records
from corpus.tabular.fields import Field, Spread, TableSpec

SPEC = TableSpec(
    name="ratings",
    title="Ratings: a judgement of an output by a rater, or by several together",
    fields=(
        SEGMENT,
        SYSTEM,
        Field(
            "against",
            "key",
            synonyms=("system_2", "system_b", "compared_with", "other_system"),
            help="the other system of a pairwise judgement; the source where not given",
        ),
        Field(
            "rater",
            "key",
            synonyms=("rater_id", "annotator", "worker", "workerid", "judge", "user", "assessor"),
            help="a person's pseudonym, a model such as “model: gpt-4”, “mean of 3 raters” or "
            "“majority of 3 raters”",
        ),
        Field(
            "aspect",
            "key",
            synonyms=("criterion", "dimension", "question", "category"),
            longest=100,
        ),
        Field(
            "task",
            "key",
            synonyms=("protocol", "experiment", "mode"),
            help="absolute, relative, or a protocol such as likert or direct_assessment",
        ),
        Field("score", "number", synonyms=("rating", "value", "da", "raw_score")),
        Field(
            "judgement",
            "text",
            synonyms=("judgment", "choice", "answer", "preference", "label", "winner"),
            help="a number, or source, output or tie (a system's name where two are compared)",
        ),
        Field("comment", "text", synonyms=("comments", "remark", "note")),
        Field("campaign", "key", synonyms=("survey_name", "batch_name"), longest=100),
        Field(
            "rater_kind",
            "text",
            synonyms=("kind_of_rater", "rater_type", "annotator_kind", "annotator_type"),
            help="person, model, mean or majority; where empty, the name of the rater decides",
        ),
        Field("revision", "integer", help="1, or 2, 3, … for corrections; the latest counts"),
        Field("variant", "integer"),
        Field("against_variant", "integer"),
        Field(
            "side",
            "text",
            help="of a pairwise judgement: the side on which the system's text was shown, a or b; "
            "empty where it is not known",
        ),
        Field(
            "seconds",
            "number",
            synonyms=("active_seconds",),
            help="how long the rater was active on the item, in seconds",
        ),
    ),
    wide=(
        Spread(
            "rater",
            "score",
            patterns=("rater*", "annotator*", "judge*", "worker*", "rater_{name}", "score_{name}"),
        ),
        Spread("aspect", "score", patterns=("Answer.{name}", "answer.{name}", "scores.{name}")),
    ),
    one_of=(("score", "judgement"),),
    recognised_by=(("score", "judgement"), ("rater", "aspect", "task")),
    file_names=("rating", "judg", "human", "annotation"),
    told_apart_by=("rater", "aspect", "campaign", "revision", "against", "variant"),
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
        if passed := reader.without_answer:
            words = (
                "ratings without an answer were" if passed > 1 else "rating without an answer was"
            )
            batch.note(f"{batch.file_names[file]}: {passed:,} {words} passed over.")
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
