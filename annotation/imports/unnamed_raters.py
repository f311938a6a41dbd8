"""Ratings without a name: those of one output are numbered, as places and not as persons."""

from dataclasses import dataclass, field

from annotation.imports.judgements import UNSTATED
from corpus.imports.batch import Batch
from corpus.imports.statements import execute, query
from corpus.vocabulary.rater_names import PERSON, PLACE

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
