"""A study of any size, made by the database itself: a million outputs within half a minute."""

SYSTEMS = 10
_NUMBERS = """
WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < %s)
"""
_SEGMENTS = """
INSERT INTO corpus_segment (study_id, ordinal, key, source_style, target_style, attributes)
{numbers} SELECT %s, n, CAST(n AS text), 'informal', 'formal', '{{}}' FROM numbers
"""
_OUTPUTS = """
INSERT INTO corpus_output (study_id, ordinal, segment_id, system_id, variant, text, sha256)
SELECT g.study_id, g.ordinal * %s + y.ordinal, g.id, y.id, 1,
       'Sentence ' || g.ordinal || ' as ' || y.ordinal
           || ' wrote it, of about the usual length of a sentence.', %s
FROM corpus_segment g JOIN corpus_system y ON y.study_id = g.study_id
WHERE g.study_id = %s ORDER BY g.ordinal, y.ordinal
"""
_ANSWERS = """
INSERT INTO annotation_submission (uuid, item_id, annotator_id, revision, swapped, surplus, reason,
                                   active_seconds, payload_sha256, comment, created_at)
SELECT {uuid}, t.item_id, t.annotator_id, 1, t.swapped, {false}, '', 5 + t.id %% 20, '', '', %s
FROM annotation_assignment t JOIN annotation_annotator a ON a.id = t.annotator_id
WHERE a.campaign_id = %s ORDER BY t.position, t.annotator_id
"""
_RATINGS = """
INSERT INTO annotation_rating (submission_id, aspect, value, choice)
SELECT s.id, %s, (s.id * 7919 + %s) %% 101, ''
FROM annotation_submission s JOIN annotation_annotator a ON a.id = s.annotator_id
WHERE a.campaign_id = %s
"""
_SUBMITTED = """
UPDATE annotation_assignment SET state = 'submitted'
WHERE annotator_id IN (SELECT id FROM annotation_annotator WHERE campaign_id = %s)
"""
_COUNTED = """
UPDATE annotation_annotator SET submitted = assigned WHERE campaign_id = %s
"""


def plain_study(slug, items):
    """Make a study with so many outputs of systems, and one source for each segment."""
    from django.db import connection, transaction

    from corpus.models import Study, System

    with transaction.atomic(), connection.cursor() as cursor:
        study = Study.objects.create(slug=slug)
        names = ["(source)", *(f"s{n}" for n in range(SYSTEMS))]
        for n, name in enumerate(names):
            kind = System.Kind.SYSTEM if n else System.Kind.SOURCE
            System.objects.create(study=study, ordinal=n, name=name, kind=kind)
        cursor.execute(_SEGMENTS.format(numbers=_NUMBERS), [items // SYSTEMS, study.pk])
        cursor.execute(_OUTPUTS, [len(names), "0" * 64, study.pk])
    return study


def answer_everything(campaign, aspects):
    """Store an answer for each assignment of a campaign."""
    import datetime as dt

    from django.db import connection, transaction
    from django.utils import timezone

    given_at = timezone.now() - dt.timedelta(hours=1)
    new = {"sqlite": "lower(hex(randomblob(16)))", "postgresql": "gen_random_uuid()"}
    answers = _ANSWERS.format(uuid=new[connection.vendor], false="1 = 0")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(answers, [given_at, campaign.pk])
        for number, aspect in enumerate(aspects):
            cursor.execute(_RATINGS, [aspect, 31 * number, campaign.pk])
        cursor.execute(_SUBMITTED, [campaign.pk])
        cursor.execute(_COUNTED, [campaign.pk])
