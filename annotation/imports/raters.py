"""The raters of an import: their kinds, and numbers for those without a name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from annotation.imports.judgements import UNSTATED
from annotation.models import Annotator
from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import execute, query
from corpus.vocabulary.rater_names import MODEL, PERSON, PLACE, rater_named

_ITEM = "campaign, first, second, revision, occasion"
# PostgreSQL has no ordinals.
_ORDINAL = """CAST(number AS TEXT) || CASE
    WHEN number %% 10 = 1 AND number %% 100 <> 11 THEN 'st'
    WHEN number %% 10 = 2 AND number %% 100 <> 12 THEN 'nd'
    WHEN number %% 10 = 3 AND number %% 100 <> 13 THEN 'rd' ELSE 'th' END || ' rating'"""


@dataclass
class UnnamedFiles:
    """Files whose ratings say nothing of who rated.

    Attributes
    ----------
    by_line
        Those whose lines are each by one rater, on several aspects.
    by_aspect
        Those whose ratings come one by one.
    """

    by_line: list[int] = field(default_factory=list)
    by_aspect: list[int] = field(default_factory=list)


def unnamed_files(batch: Batch) -> UnnamedFiles:
    """Return what an import has met so far."""
    files: UnnamedFiles = batch.memory.setdefault("unnamed raters", UnnamedFiles())
    return files


def number_unnamed(batch: Batch) -> None:
    """Number the ratings of each output in campaigns where an output has several; say so.

    A campaign with one rating of each output keeps them as of an unstated rater, who may be one
    person throughout.
    """
    files = unnamed_files(batch)
    numbered: dict[str, int] = {}
    for listed, place in (
        (files.by_line, f"DENSE_RANK() OVER (PARTITION BY {_ITEM} ORDER BY line)"),
        (files.by_aspect, f"ROW_NUMBER() OVER (PARTITION BY {_ITEM}, aspect ORDER BY id)"),
    ):
        if listed:
            _number(batch, listed, place, numbered)
    for campaign, outputs in numbered.items():
        what = "1 item has" if outputs == 1 else f"{outputs:,} items have"
        batch.note(
            f"{campaign}: nothing says who rated, and {what} several ratings. They are numbered "
            "for each item in the order of the file (1st rating, 2nd rating, …): these are places, "
            "not persons, so agreement takes raters as interchangeable and nothing is computed for "
            "each of them. If rows are there twice by mistake, tick “Pass over records that repeat "
            "an earlier one”."
        )


def _number(batch: Batch, files: list[int], place: str, numbered: dict[str, int]) -> None:
    unnamed = f"""job_id = %(job)s AND rater = %(unstated)s
        AND rater_kind IN ('', '{PERSON}', '{PLACE}') AND file IN ({", ".join(map(str, files))})"""
    parameters = {"job": batch.job.pk, "unstated": UNSTATED}
    rows = query(
        f"""SELECT campaign, COUNT(*) FROM (
                SELECT {_ITEM} FROM (
                    SELECT {_ITEM} FROM annotation_stagedrating WHERE {unnamed}
                    GROUP BY {_ITEM}, aspect HAVING COUNT(*) > 1) repeated
                GROUP BY {_ITEM}) items
            GROUP BY campaign ORDER BY campaign""",  # noqa: S608
        parameters,
    )
    for campaign, items in list(rows):
        numbered[campaign] = numbered.get(campaign, 0) + items
        with batch.writing():
            execute(
                f"""UPDATE annotation_stagedrating SET rater = {_ORDINAL}, rater_kind = '{PLACE}'
                    FROM (SELECT id AS numbered_id, {place} AS number
                          FROM annotation_stagedrating
                          WHERE {unnamed} AND campaign = %(campaign)s) placed
                    WHERE annotation_stagedrating.id = placed.numbered_id""",  # noqa: S608
                parameters | {"campaign": campaign},
            )


_CORRECT_IT = "say so in a column rater_kind, or change it in the study under Campaigns, raters of"
_LISTED = 10


def rater_problems(batch: Batch) -> Iterator[RowProblem]:
    """Find rows that say another kind of a rater than earlier ones of the same campaign."""
    rows = batch.faulty(
        "rater-kind",
        """SELECT file, line, rater, rater_kind, first_kind, COUNT(*) OVER () FROM (
               SELECT id, file, line, rater, rater_kind,
                      FIRST_VALUE(rater_kind) OVER (PARTITION BY campaign, rater ORDER BY id)
                          AS first_kind
               FROM annotation_stagedrating
               WHERE job_id = %(job)s AND rater_kind <> '') stated
           WHERE rater_kind <> first_kind ORDER BY id""",
        {"job": batch.job.pk},
    )
    for file, line, rater, kind, first_kind in rows:
        yield RowProblem(
            file=file,
            line=line,
            field="rater_kind",
            found=kind,
            expected=f"{first_kind}, as in an earlier row",
            message=f"{rater} has two kinds in one campaign; correct one of them",
            code="rater-kind",
        )


def create_annotators(batch: Batch) -> None:
    """Create the raters that the campaigns of an import lack; note whose kind was assumed."""
    rows = query(
        """SELECT c.id, c.slug, st.rater, MAX(st.rater_kind), a.kind
           FROM annotation_stagedrating st
           JOIN annotation_campaign c ON c.study_id = %(study)s AND c.slug = st.campaign
           LEFT JOIN annotation_annotator a ON a.campaign_id = c.id AND a.pseudonym = st.rater
           WHERE st.job_id = %(job)s
           GROUP BY c.id, c.slug, st.rater, a.kind ORDER BY MIN(st.id)""",
        {"study": batch.study.pk, "job": batch.job.pk},
    )
    fresh: list[Annotator] = []
    taken: dict[str, list[str]] = {}
    doubtful: dict[str, list[str]] = {}
    for campaign, slug, name, stated, stored in list(rows):
        if stored is not None:
            _compare(batch, slug, name, stated, stored)
            continue
        named = rater_named(name)
        kind = stated or (Annotator.Kind.UNSTATED if name == UNSTATED else named.kind)
        if not stated and (named.kind == MODEL or named.doubtful):
            (taken if named.kind == MODEL else doubtful).setdefault(slug, []).append(name)
        if kind == Annotator.Kind.UNSTATED:
            batch.note(
                "There is no column of raters, so nothing says who made these judgements, and no "
                "agreement is computed from them. If they are means, map the rater to a constant "
                "such as “mean of 3 raters”."
            )
        fresh.append(
            Annotator(campaign_id=campaign, pseudonym=name, kind=kind, raters=named.raters)
        )
    Annotator.objects.bulk_create(fresh)
    for slug, names in taken.items():
        batch.note(
            f"Raters of {slug} are stored as models because of their names: {_listed(names)}. If "
            f"one is human, {_CORRECT_IT} {slug}."
        )
    for slug, names in doubtful.items():
        batch.note(
            f"Raters of {slug} are stored as human raters, although their names may be those of "
            f"models: {_listed(names)}. If one is a model, {_CORRECT_IT} {slug}."
        )


def _compare(batch: Batch, campaign: str, name: str, stated: str, stored: str) -> None:
    """Say that a kind which somebody may have corrected stays."""
    if stated and stated != stored:
        batch.note(
            f"Rater {name} is a {stated} here and stored as a {stored}; the stored kind stays. "
            f"Change it in the study under Campaigns, raters of {campaign}."
        )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
