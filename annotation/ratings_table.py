"""Ratings made elsewhere, in and out: imported as what they are, one campaign a table."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.text import slugify

from annotation.judgements import UNREADABLE, UNSTATED, read_judgement
from annotation.models import Annotator, Campaign
from annotation.protocols.catalogue import Protocol, protocol
from annotation.ratings_export import export_ratings
from annotation.ratings_publish import join_comments, publish_ratings
from corpus.handlers.keys import SEGMENT, SYSTEM, counted
from corpus.imports.batch import Batch, query
from corpus.imports.checks import duplicates
from corpus.imports.places import LEFT_OUT
from corpus.models import Study
from corpus.models.text import SOURCE_SYSTEM
from corpus.tables import Counts, ExportedTable, RowProblem
from corpus.tabular.fields import Field, Spread, TableSpec

STAGED_COLUMNS = (
    *("file", "line", "campaign", "first", "second", "rater", "aspect"),
    *("revision", "value", "choice", "comment"),
)
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
            help="a person's pseudonym, “mean of 3 raters” or “majority of 3 raters”",
        ),
        Field(
            "aspect",
            "key",
            synonyms=("criterion", "dimension", "question", "category"),
            longest=100,
        ),
        Field("task", "key", synonyms=("protocol", "experiment", "mode")),
        Field("score", "number", synonyms=("rating", "value", "da", "raw_score")),
        Field(
            "judgement",
            "text",
            synonyms=("judgment", "choice", "answer", "preference", "label", "winner"),
            help="a number, or source, output or tie (a system's name where two are compared)",
        ),
        Field("comment", "text", synonyms=("comments", "remark", "note")),
        Field("campaign", "key", synonyms=("survey_name", "batch_name"), longest=100),
        Field("revision", "integer", help="1, or 2, 3, … for corrections; the latest counts"),
        Field("variant", "integer"),
        Field("against_variant", "integer"),
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
)
_NUMBERS = ("revision", "variant", "against_variant")
_TOGETHER = re.compile(r"(mean|average|majority|vote) of (\d+)(?: \w+)?", re.IGNORECASE)


class RatingsTable:
    """Handler of ratings."""

    spec = SPEC
    order = 40
    inline_key = None
    declaration_key = "campaigns"

    def stage(self, batch: Batch, file: int, records: Iterator[Any]) -> int:
        """Write judgements into staging, each as a number or a choice."""
        reader = _RatingReader(batch, file)
        return batch.insert("annotation_stagedrating", STAGED_COLUMNS, reader.rows(records))

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Duplicates, unknown outputs, answers off the scale, changed answers."""
        keys = {"segment": "first", "system": "second", "rater": "rater"}
        keys |= {"aspect": "aspect", "campaign": "campaign", "revision": "revision"}
        yield from duplicates(
            batch, "annotation_stagedrating", keys, lambda key: _described(batch, key)
        )
        yield from _off_scale(batch)
        yield from _changed(batch)

    def prepare(self, batch: Batch) -> None:
        """Make the comments of one submission one."""
        join_comments(batch)

    def publish(self, batch: Batch) -> Counts:
        """Create campaigns, annotators, items, submissions and ratings that are new."""
        return publish_ratings(batch)

    def discard(self, batch: Batch) -> None:
        """Forget the staged ratings."""
        batch.discard("annotation_stagedrating")

    def declare(self, study: Study) -> dict[str, Any]:
        """Say which protocol each campaign followed, on which scales."""
        return {
            "campaigns": {
                campaign.slug: {"protocol": campaign.protocol} | campaign.config
                for campaign in study.campaigns.all()
            }
        }

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give every rating of every revision, in the order in which they came."""
        return export_ratings(study)


class _RatingReader:
    """Turns one file's records into staging rows."""

    def __init__(self, batch: Batch, file: int) -> None:
        self.batch = batch
        self.file = file
        name = batch.file_names[file]
        stem = re.sub(r"(\.\w+)+$", "", name.rsplit("/", 1)[-1])
        self.default_campaign = slugify(stem)[:60] or "ratings"
        declared = batch.declarations.get("protocol", {})
        self.declared_protocol = declared.get(name, "") if isinstance(declared, dict) else declared
        self._campaigns: dict[tuple[str, str], tuple[str, Protocol]] = {}

    def rows(self, records: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield staging rows; rows of unknown outputs and unreadable answers become problems."""
        find = self.batch.places.find
        for line, values in records:
            segment, system, against, rater, aspect, task, score, judgement, *rest = values
            comment, campaign, *numbers = rest
            revision, variant, other_variant = (
                counted(self.batch, self.file, line, name, number)
                for name, number in zip(_NUMBERS, numbers, strict=True)
            )
            if not (revision and variant and other_variant):
                continue
            slug, followed = self._campaign(campaign or "", task or "")
            value, choice = score, ""
            if score is None and judgement:
                value, choice = read_judgement(judgement, system, against or "")
            aspect = aspect or followed.aspect
            if choice == UNREADABLE or (value is None and not choice) or not aspect:
                self._unreadable(line, judgement, choice, aspect, slug)
                continue
            if choice and not against:
                against = SOURCE_SYSTEM
            judged = find(segment, system, variant)
            other = find(segment, against, other_variant) if against else -1
            if LEFT_OUT in (judged, other):
                continue
            if judged < 0:
                self.batch.problem(self.batch.places.why_unknown(self.file, line, segment, system))
                continue
            if against and other < 0:
                self.batch.problem(
                    self.batch.places.why_unknown(self.file, line, segment, against, "against")
                )
                continue
            first, second, choice = _canonical(judged, other, choice, against or "")
            place = (self.file, line, slug, first, second, rater or UNSTATED, aspect)
            yield (*place, revision, value, choice, comment or "")

    def _unreadable(
        self, line: int, judgement: str, choice: str, aspect: str, campaign: str
    ) -> None:
        field, found, expected = "score", "", "a number or a choice"
        message = "There is no score and no judgement; leave the row out if nobody answered."
        if choice == UNREADABLE:
            field, found = "judgement", judgement
            expected = "a number, source, output, tie or the name of one of the two systems"
            message = "This is not an answer; correct it, or map the column to another field."
        elif not aspect:
            field, expected = "aspect", "the name of an aspect"
            message = (
                f"Which aspect was judged in {campaign}? Map a column to aspect, give it as a "
                "constant, or name the protocol."
            )
        self.batch.problem(RowProblem(self.file, line, field, found, expected, message, "answer"))

    def _campaign(self, campaign: str, task: str) -> tuple[str, Protocol]:
        key = (campaign, task)
        if key not in self._campaigns:
            slug = campaign or self.default_campaign + (f"-{slugify(task)[:30]}" if task else "")
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


def _canonical(judged: int, other: int, choice: str, against: str) -> tuple[int, int, str]:
    """Order a pair: the source first, of two systems the output that stands first."""
    if other < 0:
        return judged, -1, choice
    if against == SOURCE_SYSTEM or other < judged:
        return other, judged, {"against": "first", "system": "second"}.get(choice, choice)
    return judged, other, {"against": "second", "system": "first"}.get(choice, choice)


def _described(batch: Batch, key: tuple[Any, ...]) -> str:
    first, second, rater, aspect, *_ = key
    judged = batch.places.describe(first if second < 0 else second)
    return f"{judged} by {rater} on {aspect}"


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
        rows = batch.faulty(
            "scale",
            """SELECT file, line, value, rater, COUNT(*) OVER () FROM annotation_stagedrating
               WHERE job_id = %(job)s AND campaign = %(campaign)s AND aspect = %(aspect)s
                 AND (value < %(low)s OR value > %(high)s) ORDER BY id""",
            {
                "job": batch.job.pk,
                "campaign": campaign,
                "aspect": aspect,
                "low": low,
                "high": high,
            },
        )
        for file, line, value, rater in rows:
            yield RowProblem(
                file=file,
                line=line,
                field="score",
                found=f"{value:g}",
                expected=f"{low:g} to {high:g}",
                message=f"outside the scale of {aspect}; correct the score or the declared scale",
                code="scale",
                labels={"rater": rater, "aspect": aspect},
            )


def _changed(batch: Batch) -> Iterator[RowProblem]:
    rows = batch.faulty(
        "differs",
        """SELECT st.file, st.line, st.rater, st.aspect, st.first, st.second,
                  st.value, st.choice, r.value, r.choice, COUNT(*) OVER ()
           FROM annotation_stagedrating st
           JOIN annotation_campaign c ON c.study_id = %(study)s AND c.slug = st.campaign
           JOIN annotation_annotator a ON a.campaign_id = c.id AND a.pseudonym = st.rater
           JOIN corpus_output f ON f.study_id = %(study)s AND f.ordinal = st.first
           LEFT JOIN corpus_output o ON o.study_id = %(study)s AND o.ordinal = st.second
           JOIN annotation_item i ON +i.campaign_id = c.id AND i.first_id = f.id
                AND COALESCE(i.second_id, 0) = COALESCE(o.id, 0) AND i.occasion = 1
           JOIN annotation_submission s ON s.item_id = i.id AND s.annotator_id = a.id
                AND s.revision = st.revision
           JOIN annotation_rating r ON r.submission_id = s.id AND r.aspect = st.aspect
           WHERE st.job_id = %(job)s
             AND (r.choice <> st.choice OR COALESCE(r.value, 0) <> COALESCE(st.value, 0))
           ORDER BY st.id""",
        {"job": batch.job.pk, "study": batch.study.pk},
    )
    for file, line, rater, aspect, first, second, value, choice, old_value, old_choice in rows:
        what = batch.places.describe(first if second < 0 else second)
        yield RowProblem(
            file=file,
            line=line,
            field="score",
            found=choice if value is None else f"{value:g}",
            expected=f"{old_choice if old_value is None else f'{old_value:g}'}, as stored",
            message=f"{rater}'s {aspect} of {what} is stored already with another value; give a "
            "corrected answer the next revision number",
            code="differs",
            labels={"rater": rater, "aspect": aspect},
        )
