"""Ratings made elsewhere, in and out: imported as what they are, one campaign a table."""

import math
import re
from collections.abc import Iterator
from typing import Any

from django.utils.text import slugify

from annotation.models import Annotator, Campaign, Rating
from annotation.protocols.catalogue import TIE, Protocol, protocol
from annotation.ratings_publish import publish_ratings
from corpus.imports.batch import Batch, execute, query
from corpus.imports.checks import duplicates, unknown_outputs, unknown_segments
from corpus.models import Study
from corpus.models.text import SOURCE_SYSTEM
from corpus.tables import Counts, ExportedTable, RowProblem
from corpus.tabular.fields import Field, TableSpec

UNSTATED = "(unstated)"
STAGED_COLUMNS = (
    "file",
    "line",
    "campaign",
    "segment_key",
    "system_name",
    "variant",
    "against",
    "rater",
    "aspect",
    "revision",
    "value",
    "choice",
    "comment",
)
SPEC = TableSpec(
    name="ratings",
    title="Ratings: a judgement of an output by a rater, or by several together",
    fields=(
        Field("segment", "key", required=True, synonyms=("segment_id", "seg_id", "id", "key")),
        Field("system", "key", required=True, synonyms=("system_id", "sys", "model")),
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
            help="a person's pseudonym, “mean of 3 raters” or “majority of 3 raters”",
        ),
        Field("aspect", "key", synonyms=("criterion", "dimension", "question", "category")),
        Field("task", "key", synonyms=("protocol", "experiment", "mode")),
        Field("score", "number", synonyms=("rating", "value", "da", "raw_score")),
        Field(
            "judgement",
            "text",
            synonyms=("judgment", "choice", "answer", "preference", "label", "winner"),
            help="a number, or source, output or tie (a system's name where two are compared)",
        ),
        Field("comment", "text", synonyms=("comments", "remark", "note")),
        Field("campaign", "key", synonyms=("survey_name", "batch_name")),
        Field("revision", "integer"),
        Field("variant", "integer"),
    ),
)
_TOGETHER = re.compile(r"(mean|average|majority|vote) of (\d+)(?: \w+)?", re.IGNORECASE)


class RatingsTable:
    """Handler of ratings."""

    spec = SPEC
    order = 40
    inline_key = None

    def stage(self, batch: Batch, file: int, records: Iterator[Any]) -> int:
        """Write judgements into staging, each as a number or a choice."""
        reader = _RatingReader(batch, file)
        return batch.insert("annotation_stagedrating", STAGED_COLUMNS, reader.rows(records))

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicates, unknown outputs, answers off the scale, changed answers."""
        table = "annotation_stagedrating"
        keys = {"segment": "segment_key", "system": "system_name", "against": "against"}
        keys |= {"rater": "rater", "aspect": "aspect", "campaign": "campaign"}
        keys |= {"revision": "revision", "variant": "variant"}
        yield from duplicates(batch, table, keys)
        yield from unknown_segments(batch, table)
        yield from unknown_outputs(batch, table)
        yield from unknown_outputs(batch, table, "against")
        yield from _unreadable(batch)
        yield from _off_scale(batch)
        yield from _changed(batch)

    def prepare(self, batch: Batch) -> None:
        """Nothing: publishing is a handful of set statements."""

    def publish(self, batch: Batch) -> Counts:
        """Create campaigns, annotators, items, submissions and ratings that are new."""
        return publish_ratings(batch)

    def discard(self, batch: Batch) -> None:
        """Forget the staged ratings."""
        execute("DELETE FROM annotation_stagedrating WHERE job_id = %(job)s", {"job": batch.job.pk})

    def keep_only_sampled(self, batch: Batch) -> None:
        """Remove ratings of segments that sampling left out."""
        execute(
            """DELETE FROM annotation_stagedrating WHERE job_id = %(job)s AND segment_key NOT IN
                   (SELECT key FROM corpus_stagedsegment WHERE job_id = %(job)s)""",
            {"job": batch.job.pk},
        )

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give every rating of every revision, in the order in which they came."""
        ratings = Rating.objects.filter(submission__item__campaign__study=study)
        if not ratings.exists():
            return
        columns = ["campaign", "segment", "system", "against", "rater", "aspect"]
        columns += ["score", "judgement", "revision", "variant", "comment"]
        yield ExportedTable(
            file_name="ratings.csv",
            columns=columns,
            rows=_exported_rows(study),
            mapping={"table": "ratings", "columns": {name: name for name in columns}},
        )


class _RatingReader:
    """Turns one file's records into staging rows."""

    def __init__(self, batch: Batch, file: int) -> None:
        self.batch = batch
        self.file = file
        name = batch.file_names[file]
        stem = re.sub(r"(\.\w+)+$", "", name.rsplit("/", 1)[-1])
        self.default_campaign = slugify(stem) or "ratings"
        declared = batch.declarations.get("protocol", {})
        self.declared_protocol = declared.get(name, "") if isinstance(declared, dict) else declared
        self._campaigns: dict[tuple[str, str], tuple[str, Protocol]] = {}

    def rows(self, records: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
        for line, values, _ in records:
            segment, system, against, rater, aspect, task, score, judgement, *rest = values
            comment, campaign, revision, variant = rest
            slug, followed = self._campaign(campaign or "", task or "")
            value, choice = score, ""
            if score is None and judgement:
                value, choice = _answer(judgement, system, against or "", followed)
            if choice and not against:
                against = SOURCE_SYSTEM
            yield (self.file, line, slug, segment, system, variant or 1) + (
                against or "",
                rater or UNSTATED,
                aspect or followed.aspect,
                revision or 1,
                value,
                choice,
                comment or "",
            )

    def _campaign(self, campaign: str, task: str) -> tuple[str, Protocol]:
        key = (campaign, task)
        if key not in self._campaigns:
            slug = campaign or self.default_campaign + (f"-{slugify(task)}" if task else "")
            followed = self._protocol(slug, task)
            self._campaigns[key] = (slug, followed)
        return self._campaigns[key]

    def _protocol(self, slug: str, task: str) -> Protocol:
        declared = self.batch.declarations.get("campaigns", {}).get(slug, {})
        named = declared.get("protocol") or self.declared_protocol
        if not named and task:
            named = {"absolute": "absolute_naturalness", "relative": "relative_naturalness"}.get(
                task.lower(), task
            )
        try:
            followed = protocol(named) if named else protocol("unstated")
        except LookupError as error:
            self.batch.note(f"{self.batch.file_names[self.file]}: {error}; stored as not stated.")
            followed = protocol("unstated")
        self.batch.declarations.setdefault("_protocols", {})[slug] = followed.key
        return followed


def _answer(
    judgement: str, system: str, against: str, followed: Protocol
) -> tuple[float | None, str]:
    """Read a judgement that may be a number or the name of the better text."""
    try:
        number = float(judgement)
    except ValueError:
        pass
    else:
        return (number, "") if math.isfinite(number) else (None, "")
    word = judgement.strip()
    if word.lower() in (TIE, "equal", "same", "both"):
        return None, TIE
    # Items hold their two outputs in canonical order: the source first, else the named system.
    against = against or SOURCE_SYSTEM
    if word.lower() in ("source", "original") and against == SOURCE_SYSTEM:
        return None, "source"
    if word == against:
        return None, "against"
    if word == system or word.lower() in ("output", "system", "transferred"):
        return None, "system"
    return None, "?" + word[:18]


def annotator_kind(name: str) -> tuple[str, int | None]:
    """Read from a rater's name whether it is one person or several together.

    Examples
    --------
    >>> annotator_kind("mean of 3 raters")
    ('mean', 3)
    >>> annotator_kind("survey1-rater2")
    ('person', None)
    """
    if name == UNSTATED:
        return Annotator.Kind.UNSTATED.value, None
    if match := _TOGETHER.fullmatch(name.strip()):
        together = match[1].lower() in ("mean", "average")
        kind = Annotator.Kind.MEAN if together else Annotator.Kind.MAJORITY
        return kind.value, int(match[2])
    return Annotator.Kind.PERSON.value, None


def scale_of(batch: Batch, campaign: str, aspect: str) -> tuple[float, float] | None:
    """Return the scale that was declared for an aspect, or that its protocol fixes."""
    declarations = batch.declarations
    own = declarations.get("campaigns", {}).get(campaign, {}).get("scales", {})
    scale = own.get(aspect) or declarations.get("scales", {}).get(aspect)
    if scale is None:
        stored = Campaign.objects.filter(study=batch.study, slug=campaign).first()
        scale = stored.config.get("scales", {}).get(aspect) if stored else None
    if scale is None:
        followed = declarations.get("_protocols", {}).get(campaign)
        scale = protocol(followed).scale if followed else None
    return (float(scale[0]), float(scale[1])) if scale else None


def _unreadable(batch: Batch) -> Iterator[RowProblem]:
    rows = query(
        """SELECT file, line, choice, value, aspect, campaign, system_name, against
           FROM annotation_stagedrating
           WHERE job_id = %(job)s
             AND (choice LIKE '?%%' OR aspect = '' OR (value IS NULL AND choice = ''))
           ORDER BY id LIMIT 101""",
        {"job": batch.job.pk},
    )
    for file, line, choice, value, aspect, campaign, system, against in rows:
        if choice.startswith("?"):
            expected = f"a number, source, output, tie, {system} or {against}"
            yield RowProblem(
                file, line, "judgement", choice[1:], expected, "not an answer", "answer"
            )
        elif value is None and not choice:
            message = "no score and no judgement; leave the row out if there was no answer"
            yield RowProblem(file, line, "score", "", "a number or a choice", message, "answer")
        elif not aspect:
            message = (
                f"which aspect was judged in {campaign}? Map a column to aspect, give it as a "
                "constant, or name the protocol"
            )
            yield RowProblem(file, line, "aspect", "", "the name of an aspect", message, "aspect")


def _off_scale(batch: Batch) -> Iterator[RowProblem]:
    groups = query(
        """SELECT campaign, aspect, MIN(value), MAX(value) FROM annotation_stagedrating
           WHERE job_id = %(job)s AND value IS NOT NULL GROUP BY campaign, aspect
           ORDER BY MIN(id)""",
        {"job": batch.job.pk},
    )
    for campaign, aspect, lowest, highest in list(groups):
        scale = scale_of(batch, campaign, aspect)
        if scale is None:
            batch.note(
                f"The scale of {aspect} in {campaign} is not declared, so its scores were not "
                f"checked against it; they go from {lowest:g} to {highest:g}."
            )
            continue
        low, high = scale
        if low <= lowest and highest <= high:
            continue
        rows = query(
            """SELECT file, line, value FROM annotation_stagedrating
               WHERE job_id = %(job)s AND campaign = %(campaign)s AND aspect = %(aspect)s
                 AND (value < %(low)s OR value > %(high)s) ORDER BY id LIMIT 101""",
            {
                "job": batch.job.pk,
                "campaign": campaign,
                "aspect": aspect,
                "low": low,
                "high": high,
            },
        )
        for file, line, value in rows:
            yield RowProblem(
                file=file,
                line=line,
                field="score",
                found=f"{value:g}",
                expected=f"{low:g} to {high:g}",
                message=f"outside the scale of {aspect}; correct the score or the declared scale",
                code="scale",
            )


def _changed(batch: Batch) -> Iterator[RowProblem]:
    rows = query(
        """SELECT st.file, st.line, st.rater, st.aspect, st.segment_key, st.system_name,
                  COALESCE(CAST(st.value AS TEXT), st.choice),
                  COALESCE(CAST(r.value AS TEXT), r.choice)
           FROM annotation_stagedrating st
           JOIN annotation_campaign c ON c.study_id = %(study)s AND c.slug = st.campaign
           JOIN annotation_annotator a ON a.campaign_id = c.id AND a.pseudonym = st.rater
           JOIN corpus_segment sg ON sg.study_id = %(study)s AND sg.key = st.segment_key
           JOIN corpus_system sy ON sy.study_id = %(study)s AND sy.name = st.system_name
           JOIN corpus_output o ON o.segment_id = sg.id AND o.system_id = sy.id
                AND o.variant = st.variant
           JOIN annotation_item i ON i.campaign_id = c.id AND (i.first_id = o.id
                AND i.second_id IS NULL AND st.against = '' OR i.second_id = o.id
                AND st.against = '(source)')
           JOIN annotation_submission s ON s.item_id = i.id AND s.annotator_id = a.id
                AND s.revision = st.revision
           JOIN annotation_rating r ON r.submission_id = s.id AND r.aspect = st.aspect
           WHERE st.job_id = %(job)s AND r.value <> st.value
           ORDER BY st.id LIMIT 101""",
        {"job": batch.job.pk, "study": batch.study.pk},
    )
    for file, line, rater, aspect, segment, system, found, stored in rows:
        yield RowProblem(
            file=file,
            line=line,
            field="score",
            found=found,
            expected=f"{stored}, as stored",
            message=f"{rater}'s {aspect} of {system} for {segment} is stored already with another "
            "value; give a corrected answer the next revision number",
            code="differs",
        )


def _exported_rows(study: Study) -> Iterator[tuple[Any, ...]]:
    rows = (
        Rating.objects.filter(submission__item__campaign__study=study)
        .order_by("submission_id", "id")
        .values_list(
            "submission__item__campaign__slug",
            "submission__item__first__segment__key",
            "submission__item__first__system__name",
            "submission__item__first__variant",
            "submission__item__second__system__name",
            "submission__item__second__variant",
            "submission__annotator__pseudonym",
            "aspect",
            "value",
            "choice",
            "submission__revision",
            "submission__comment",
        )
    )
    for row in rows.iterator(chunk_size=5000):
        campaign, segment, first, variant, second, second_variant = row[:6]
        rater, aspect, value, choice, revision, comment = row[6:]
        system, against = (first, "") if second is None else (second, first)
        judgement = {"first": against, "second": system, "": ""}.get(choice, choice)
        if judgement == SOURCE_SYSTEM:
            judgement = "source"
        yield (
            (campaign, segment, system, against, "" if rater == UNSTATED else rater, aspect)
            + ("" if value is None else repr(value), judgement, revision)
            + (variant if second is None else second_variant, comment)
        )
