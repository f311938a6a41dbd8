"""Ordinals of texts: in the order of their rows and without gaps, numbered as early as can be."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.models import Output
from corpus.tables import texts
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, import_path, write_files

pytestmark = [pytest.mark.dialect, pytest.mark.django_db]
FIRST = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS[:-1]}
MORE = {"outputs.csv": OUTPUTS}


def stored(slug="study"):
    """Return segment, system and text of each output by its ordinal."""
    found = Output.objects.filter(study__slug=slug).order_by("ordinal")
    return {
        row.pop("ordinal"): tuple(row.values())
        for row in found.values("ordinal", "segment__key", "system__name", "text")
    }


def times_numbered(path, slug="study"):
    """Import files; return how often staged texts were numbered after they had been written."""
    with CaptureQueriesContext(connection) as captured:
        job = import_path(path, slug=slug)
    assert job.state == "done", job.error
    return sum("ROW_NUMBER() OVER (ORDER BY st.id)" in q["sql"] and "UPDATE" in q["sql"]
               for q in captured)  # fmt: skip


def test_texts_of_an_empty_study_are_written_to_staging_once(tmp_path):
    assert times_numbered(write_files(tmp_path / "first", FIRST)) == 0
    assert [*stored()] == list(range(Output.objects.count()))
    before = stored()
    assert times_numbered(write_files(tmp_path / "more", MORE)) == 1
    assert stored() == before | {len(before): tuple(OUTPUTS[-1][:3])}


def test_ordinals_are_the_same_whenever_they_are_given(tmp_path, monkeypatch):
    path = write_files(tmp_path / "first", FIRST)
    assert times_numbered(path, "early") == 0
    monkeypatch.setattr(texts, "_are_numbered", lambda batch: False)
    assert times_numbered(path, "late") == 1
    assert stored("late") == stored("early") != {}
