"""What is wrong with staged judgements together, and with what is stored."""

from collections.abc import Iterator
from typing import Any

from annotation.imports.declared import asked_otherwise, scale_of
from annotation.imports.raters import number_unnamed, rater_problems
from annotation.models import Campaign
from corpus.imports.batch import Batch
from corpus.imports.checks import duplicates
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query, refresh_statistics
from corpus.tabular.shaping.fields import TableSpec


def rating_problems(batch: Batch, spec: TableSpec) -> Iterator[RowProblem]:
    """Find duplicates, raters of two kinds, answers off the scale, and what differs from stored."""
    number_unnamed(batch)
    keys = {"segment": "first", "system": "second", "rater": "rater"}
    keys |= {"aspect": "aspect", "campaign": "campaign", "revision": "revision"}
    keys |= {"occasion": "occasion"}
    yield from duplicates(
        batch, "annotation_stagedrating", spec, keys, lambda key: _described(batch, key)
    )
    yield from rater_problems(batch)
    yield from _shown_in_two_ways(batch)
    yield from _asked_otherwise(batch)
    yield from _off_scale(batch)
    yield from _changed(batch)
    yield from _given_here(batch)


def _described(batch: Batch, key: tuple[Any, ...]) -> str:
    first, second, rater, aspect, *_ = key
    judged = batch.places.describe(first if second < 0 else second)
    return f"{judged} by {rater} on {aspect}"


def _shown_in_two_ways(batch: Batch) -> Iterator[RowProblem]:
    """Find rows that say another side or time than an earlier one of the same judgement."""
    for field, column in (("side", "swapped"), ("seconds", "seconds")):
        rows = batch.faulty(
            field,
            f"""SELECT file, line, rater, first, second, first_line, COUNT(*) OVER () FROM (
                    SELECT id, file, line, rater, first, second, {column} AS stated,
                           FIRST_VALUE({column}) OVER same_judgement AS first_stated,
                           FIRST_VALUE(line) OVER same_judgement AS first_line
                    FROM annotation_stagedrating
                    WHERE job_id = %(job)s AND {column} IS NOT NULL
                    WINDOW same_judgement AS (
                        PARTITION BY campaign, first, second, rater, revision, occasion
                        ORDER BY id)) known
                WHERE stated <> first_stated ORDER BY id""",  # noqa: S608
            {"job": batch.job.pk},
        )
        for file, line, rater, first, second, first_line in rows:
            what = batch.places.describe(first if second < 0 else second)
            yield RowProblem(
                file=file,
                line=line,
                field=field,
                found="another one",
                expected=f"as in line {first_line}",
                message=f"{rater} judged {what} once, on all aspects together; correct one of the "
                "lines, or map the column that tells the judgements apart (campaign, revision)",
                code=field,
            )


def _asked_otherwise(batch: Batch) -> Iterator[RowProblem]:
    """Find ratings that would join those of a stored campaign that asked in another way."""
    rows = query(
        """SELECT st.campaign, st.aspect, st.file, st.line FROM annotation_stagedrating st
           JOIN (SELECT MIN(id) AS first FROM annotation_stagedrating
                 WHERE job_id = %(job)s GROUP BY campaign, aspect) each ON each.first = st.id
           ORDER BY st.id""",
        {"job": batch.job.pk},
    )
    for campaign, aspect, file, line in list(rows):
        if differs := asked_otherwise(batch, campaign, aspect):
            found, stored = differs
            message = (
                f"campaign {campaign} is stored with another way of asking for {aspect}; give "
                "these ratings a campaign of their own, or correct the declaration"
            )
            yield RowProblem(file, line, "campaign", found, stored, message, "campaign")


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
            """SELECT file, line, value, rater, first, COUNT(*) OVER () FROM annotation_stagedrating
               WHERE job_id = %(job)s AND campaign = %(campaign)s AND aspect = %(aspect)s
                 AND (value < %(low)s OR value > %(high)s) ORDER BY id""",
            {"job": batch.job.pk, "campaign": campaign, "aspect": aspect, "low": low, "high": high},
        )
        for file, line, value, rater, judged in rows:
            yield RowProblem(
                file=file,
                line=line,
                field="score",
                found=f"{value:g}",
                expected=f"{low:g} to {high:g}",
                message=f"outside the scale of {aspect}; correct the score or the declared scale",
                code="scale",
                labels=_labels(batch, rater, aspect, judged),
            )


def _labels(batch: Batch, rater: str, aspect: str, judged: int) -> dict[str, str]:
    """Return what columns may be named after that hold ratings."""
    return {"rater": rater, "aspect": aspect, "system": batch.places.names(judged)[1]}


def _changed(batch: Batch) -> Iterator[RowProblem]:
    # Tables that have just grown have no statistics yet, and PostgreSQL would go through them
    # once for each row.
    refresh_statistics(
        *("annotation_stagedrating", "annotation_annotator", "annotation_item"),
        *("annotation_submission", "annotation_rating", "corpus_output"),
    )
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
                AND COALESCE(i.second_id, 0) = COALESCE(o.id, 0) AND i.occasion = st.occasion
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
            "corrected answer the next revision number, or ratings of another campaign its name",
            code="differs",
            labels=_labels(batch, rater, aspect, first if second < 0 else second),
        )


def _given_here(batch: Batch) -> Iterator[RowProblem]:
    """Find ratings that a campaign which was made here does not have: all of its were given here.

    Its pages say so, with times and consent of its annotators, and nobody could tell them apart.
    """
    live = Campaign.objects.filter(study=batch.study, origin=Campaign.Origin.LIVE)
    names = query(
        "SELECT DISTINCT campaign FROM annotation_stagedrating WHERE job_id = %(job)s",
        {"job": batch.job.pk},
    )
    found = live.filter(slug__in=[name for (name,) in names]).values_list("slug", "pk")
    for slug, pk in list(found):
        rows = batch.faulty(
            "given-here",
            """SELECT st.file, st.line, COUNT(*) OVER () FROM annotation_stagedrating st
               WHERE st.job_id = %(job)s AND st.campaign = %(slug)s AND NOT EXISTS (
                   SELECT 1 FROM annotation_annotator a
                   JOIN annotation_submission s ON s.annotator_id = a.id
                        AND s.revision = st.revision
                   JOIN annotation_item i ON i.id = s.item_id AND i.occasion = st.occasion
                   JOIN annotation_rating r ON r.submission_id = s.id AND r.aspect = st.aspect
                   JOIN corpus_output f ON f.id = i.first_id AND f.ordinal = st.first
                   LEFT JOIN corpus_output o ON o.id = i.second_id
                   WHERE a.campaign_id = %(campaign)s AND a.pseudonym = st.rater
                     AND COALESCE(o.ordinal, -1) = COALESCE(st.second, -1))
               ORDER BY st.id""",
            {"job": batch.job.pk, "slug": slug, "campaign": pk},
        )
        for file, line in rows:
            yield RowProblem(
                file=file,
                line=line,
                field="campaign",
                found=slug,
                expected="a campaign that was not made here",
                message=f"the ratings of campaign {slug} are given here, on its own pages; import "
                "those that were given elsewhere under another campaign name",
                code="given-here",
            )
