"""The raters of an import: of which kind they are, and what the import says of them."""

from collections.abc import Iterator, Sequence

from annotation.imports.judgements import UNSTATED
from annotation.models import Annotator
from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.vocabulary.rater_names import MODEL, rater_named

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
