"""What a study declares about its publication travels with it, and is checked on the way in."""

import pytest
from django.contrib.auth.models import User

from analysis.datasheets.datasheet import datasheet, ethics_sheet
from analysis.publishing.forms import change_details
from corpus.exports.bundle import write_bundle
from corpus.models import Study
from corpus.vocabulary.publication_details import (
    details_shown,
    wrong_details,
)
from tests.fixtures.study_files import STUDY, TABLES, import_path, write_files

DECLARED = {
    "licence": "CC-BY-4.0",
    "text_licence": "CC0-1.0",
    "authors": [{"name": "King, Ada", "orcid": "0000-0002-1825-0097"}],
    "keywords": ["style transfer"],
}


@pytest.mark.parametrize(
    ("declared", "where"),
    [
        ({"licence": "mine"}, "licence"),
        ({"authors": [{"name": "A", "orcid": "0000-0002-1825-0098"}]}, "authors, entry 1"),
        ({"authors": [{"name": "A", "mail": "a@b.org"}]}, "authors, entry 1"),
        ({"paper": "javascript:alert(1)"}, "paper"),
        ({"licence": "LicenseRef-Terms"}, "licence_terms"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_cannot_be_taken_is_named(declared, where):
    assert [name for name, _, _ in wrong_details(declared)] == [where]


@pytest.mark.django_db
def test_an_import_stores_the_details_and_refuses_wrong_ones(tmp_path):
    declared = STUDY | {"publication": DECLARED}
    job = import_path(write_files(tmp_path / "one", TABLES | {"study.json": declared}))
    assert job.state == "done", job.error
    assert Study.objects.get(slug="small").declarations["publication"] == DECLARED
    wrong = STUDY | {"publication": {"licence": "mine"}}
    job = import_path(write_files(tmp_path / "two", TABLES | {"study.json": wrong}), slug="other")
    assert job.state == "failed"
    (problem,) = job.result["problems"]
    assert (problem["file"], problem["column"]) == ("study.json", "publication.licence")
    assert "SPDX" in problem["expected"]


@pytest.mark.django_db
def test_consent_and_approval_that_a_file_states_say_so_until_an_owner_states_them(tmp_path):
    """Stated here they are the owner's word; in a file anybody can write them."""
    stated = {"consent": "All agreed.", "ethics": "Board 7", "licence": "CC0-1.0"}
    files = TABLES | {"study.json": STUDY | {"publication": stated}}
    assert import_path(write_files(tmp_path / "small", files)).state == "done"
    study = Study.objects.get()
    imported = " (imported, stated by the file)"
    shown = details_shown(study.declarations)
    assert (shown.consent, shown.ethics) == (f"All agreed.{imported}", f"Board 7{imported}")
    assert shown.licence == "CC0-1.0"
    [campaign] = study.campaigns.all()
    for sheet in (datasheet(campaign), ethics_sheet(campaign)):
        assert f"Board 7{imported}" in sheet
        assert f"All agreed.{imported}" in sheet
    owner = User.objects.create_user("owner")
    change_details(study, stated | {"ethics": "Board 9"}, owner)
    study.refresh_from_db()
    shown = details_shown(study.declarations)
    assert (shown.consent, shown.ethics) == (f"All agreed.{imported}", "Board 9")
    # The archive holds what is stated, and nothing is certified by importing it again.
    write_bundle(study, tmp_path / "small.zip")
    assert import_path(tmp_path / "small.zip", slug="elsewhere").state == "done"
    there = details_shown(Study.objects.get(slug="elsewhere").declarations)
    assert (there.consent, there.ethics) == (f"All agreed.{imported}", f"Board 9{imported}")
    assert import_path(tmp_path / "small.zip", slug="small").state == "done"
    study.refresh_from_db()
    assert details_shown(study.declarations).ethics == "Board 9"
