"""Texts and the audit trail are never changed, and the database itself sees to it."""

import pytest
from django.db import DatabaseError, connection, transaction

from corpus.models import AuditEntry, Output, Segment, Study, System

pytestmark = pytest.mark.dialect

APPEND_ONLY = {
    "analysis_preregistration",
    "annotation_rating",
    "annotation_submission",
    "corpus_accessentry",
    "corpus_auditentry",
    "corpus_maskedtext",
    "corpus_output",
    "corpus_stylelexicon",
}


@pytest.fixture
def output(db):
    study = Study.objects.create(slug="reviews")
    segment = Segment.objects.create(study=study, ordinal=0, key="1")
    system = System.objects.create(study=study, ordinal=0, name="copy")
    return Output.objects.create(
        study=study, ordinal=0, segment=segment, system=system, text="so good .", sha256="0" * 64
    )


@pytest.fixture
def entry(output):
    return AuditEntry.objects.create(study=output.study, action="import", object="outputs.csv")


def refused(change):
    """Try a change inside a savepoint, so that the test can go on."""
    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        change()


def test_a_text_is_neither_changed_nor_deleted(output):
    refused(lambda: Output.objects.update(text="so bad ."))
    refused(lambda: Output.objects.all().delete())
    output.text = "so bad ."
    refused(output.save)
    assert Output.objects.get().text == "so good ."


def test_a_study_with_texts_cannot_be_deleted(output):
    refused(output.study.delete)
    assert Study.objects.exists()


def test_an_audit_entry_is_neither_changed_nor_deleted(entry):
    refused(lambda: AuditEntry.objects.update(action="export"))
    refused(lambda: AuditEntry.objects.filter(pk=entry.pk)._raw_delete("default"))
    assert AuditEntry.objects.get().action == "import"


@pytest.mark.django_db
def test_every_append_only_table_has_a_trigger_for_both_events():
    assert triggers() == {(table, event) for table in APPEND_ONLY for event in ("delete", "update")}


def triggers():
    """Table and event of every trigger named like ours."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        names = [name.lower() for (name,) in cursor.fetchall()]
    return {tuple(name.rsplit("_no_", 1)) for name in names}
