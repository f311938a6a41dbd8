"""From staged judgements to campaigns, annotators, items, submissions and ratings."""

import secrets
from typing import Any

from django.db import connection
from django.utils import timezone

from annotation.imports.declared import categories_of, declared_config, join_set, scale_of
from annotation.imports.raters import create_annotators
from annotation.models import Campaign
from corpus.imports.batch import Batch
from corpus.imports.checks import note_aspects
from corpus.imports.statements import execute, query, refresh_statistics
from corpus.tables.register import Counts

_RESOLVED = """
    SELECT st.*, c.id AS campaign_pk, f.id AS first_pk, o.id AS second_pk
    FROM annotation_stagedrating st
    JOIN annotation_campaign c ON c.study_id = %(study)s AND c.slug = st.campaign
    JOIN corpus_output f ON f.study_id = %(study)s AND f.ordinal = st.first
    LEFT JOIN corpus_output o ON o.study_id = %(study)s AND o.ordinal = st.second
    WHERE st.job_id = %(job)s
"""
# The plus keeps SQLite, which has no statistics yet, from looking items up by campaign.
_ITEM = """+i.campaign_id = r.campaign_pk AND i.first_id = r.first_pk AND i.occasion = r.occasion
    AND COALESCE(i.second_id, 0) = COALESCE(r.second_pk, 0)"""
_ORIGINALS = """
    UPDATE annotation_item SET original_id = (
        SELECT MIN(o.id) FROM annotation_item o
        WHERE o.campaign_id = annotation_item.campaign_id AND o.occasion = 1
          AND o.first_id = annotation_item.first_id
          AND COALESCE(o.second_id, 0) = COALESCE(annotation_item.second_id, 0))
    WHERE original_id IS NULL AND occasion > 1 AND campaign_id IN (
        SELECT c.id FROM annotation_campaign c
        JOIN annotation_stagedrating st ON st.campaign = c.slug AND st.occasion > 1
        WHERE c.study_id = %(study)s AND st.job_id = %(job)s)
"""
_ANNOTATOR = "a.campaign_id = r.campaign_pk AND a.pseudonym = r.rater"
# PostgreSQL has no greatest truth value.
_SWAPPED = "MAX(CASE WHEN r.swapped THEN 1 WHEN NOT r.swapped THEN 0 END) = 1"
_SUBMISSION = "s.item_id = i.id AND s.annotator_id = a.id AND s.revision = r.revision"

# In the order of the rows behind a random beginning: an index on wholly random ones would be
# written all over, while annotators wait.
_UUIDS = {
    "sqlite": "%(import)s || printf('%%016x', MIN(r.id))",
    "postgresql": "(%(import)s || lpad(to_hex(MIN(r.id)), 16, '0'))::uuid",
}


def publish_ratings(batch: Batch) -> Counts:
    """Insert what is new, table by table, each in one statement."""
    _create_campaigns(batch)
    create_annotators(batch)
    refresh_statistics("annotation_stagedrating", "annotation_annotator", "corpus_output")
    parameters: dict[str, Any] = {"study": batch.study.pk, "job": batch.job.pk}
    execute(
        f"""INSERT INTO annotation_item (campaign_id, first_id, second_id, occasion, kind)
            SELECT r.campaign_pk, r.first_pk, r.second_pk, r.occasion, MIN(r.item_kind)
            FROM ({_RESOLVED}) r LEFT JOIN annotation_item i ON {_ITEM}
            WHERE i.id IS NULL GROUP BY r.campaign_pk, r.first_pk, r.second_pk, r.occasion
            ORDER BY MIN(r.id)""",  # noqa: S608
        parameters,
    )
    refresh_statistics("annotation_item")
    execute(_ORIGINALS, parameters)
    execute(
        f"""INSERT INTO annotation_submission
                (uuid, item_id, annotator_id, revision, comment, swapped, active_seconds,
                 created_at)
            SELECT {_UUIDS[connection.vendor]}, i.id, a.id, r.revision, MAX(r.comment), {_SWAPPED},
                   MAX(r.seconds), %(now)s
            FROM ({_RESOLVED}) r
            JOIN annotation_item i ON {_ITEM}
            JOIN annotation_annotator a ON {_ANNOTATOR}
            LEFT JOIN annotation_submission s ON {_SUBMISSION}
            WHERE s.id IS NULL GROUP BY i.id, a.id, r.revision ORDER BY MIN(r.id)""",  # noqa: S608
        parameters | {"now": timezone.now(), "import": secrets.token_hex(8)},
    )
    refresh_statistics("annotation_submission")
    added = execute(
        f"""INSERT INTO annotation_rating (submission_id, aspect, value, choice)
            SELECT s.id, r.aspect, r.value, r.choice FROM ({_RESOLVED}) r
            JOIN annotation_item i ON {_ITEM}
            JOIN annotation_annotator a ON {_ANNOTATOR}
            JOIN annotation_submission s ON {_SUBMISSION}
            LEFT JOIN annotation_rating known
                 ON known.submission_id = s.id AND known.aspect = r.aspect
            WHERE known.id IS NULL ORDER BY r.id""",  # noqa: S608
        parameters,
    )
    total = next(
        query("SELECT COUNT(*) FROM annotation_stagedrating WHERE job_id = %(job)s", parameters)
    )[0]
    return Counts(added=added, unchanged=total - added)


def join_comments(batch: Batch) -> None:
    """Give the rows of one submission one comment: their different ones, line by line."""
    same = "job_id, campaign, first, second, rater, revision, occasion"
    rows = query(
        f"""SELECT st.id, {", ".join(f"st.{name}" for name in same.split(", ")[1:])}, st.comment
            FROM annotation_stagedrating st
            JOIN (SELECT {same} FROM annotation_stagedrating WHERE job_id = %(job)s
                  GROUP BY {same} HAVING COUNT(DISTINCT comment) > 1) differing
                 USING ({same})
            ORDER BY st.id""",  # noqa: S608
        {"job": batch.job.pk},
    )
    comments: dict[tuple[Any, ...], dict[str, None]] = {}
    members: list[tuple[int, tuple[Any, ...]]] = []
    for row, *submission, comment in rows:
        key = tuple(submission)
        members.append((row, key))
        comments.setdefault(key, {}).update({comment: None} if comment else {})
    joined = [("\n".join(comments[key]), row) for row, key in members]
    with batch.writing(), connection.cursor() as cursor:
        cursor.executemany("UPDATE annotation_stagedrating SET comment = %s WHERE id = %s", joined)


def _create_campaigns(batch: Batch) -> None:
    rows = query(
        """SELECT campaign, aspect FROM annotation_stagedrating WHERE job_id = %(job)s
           GROUP BY campaign, aspect ORDER BY MIN(id)""",
        {"job": batch.job.pk},
    )
    aspects: dict[str, list[str]] = {}
    for slug, aspect in list(rows):
        aspects.setdefault(slug, []).append(aspect)
    note_aspects(batch, (name for names in aspects.values() for name in names))
    followed = batch.declarations.get("_protocols", {})
    declared = batch.declarations.get("campaigns", {})
    for slug, names in aspects.items():
        stated: dict[str, dict[str, Any]] = {
            "scales": {name: scale for name in names if (scale := scale_of(batch, slug, name))},
            "categories": {
                name: words for name in names if (words := categories_of(batch, slug, name))
            },
        }
        entry, followed_here = declared.get(slug, {}), followed.get(slug, "unstated")
        campaign, created = Campaign.objects.get_or_create(
            study=batch.study,
            slug=slug,
            defaults={
                "protocol": followed_here,
                "origin": Campaign.Origin.IMPORTED,
                "config": {
                    **declared_config(entry, followed_here),
                    **{what: given for what, given in stated.items() if given or what == "scales"},
                },
            },
        )
        if created:
            join_set(batch, campaign, entry.get("set"))
        together = {
            what: given | campaign.config.get(what, {}) for what, given in stated.items() if given
        }
        for name, words in stated["categories"].items():
            known = together["categories"][name]
            together["categories"][name] = list(dict.fromkeys([*known, *words]))
        if not created and campaign.config != campaign.config | together:
            campaign.config = campaign.config | together
            campaign.save(update_fields=["config"])
