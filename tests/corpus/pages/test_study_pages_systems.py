"""The systems page: attributes corrected, and filled in from names."""

import pytest

from corpus.models import AuditEntry, System
from tests.fixtures.campaign_pages import member
from tests.fixtures.html_forms import fields_of
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, import_path, write_files

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/systems/"
NAMES = ("CAAE-rho-0.01", "ARAE-lambda-5", "REF")


FILES = {
    "segments.csv": SEGMENTS,
    "outputs.csv": [OUTPUTS[0], *([f"s{n}", name, "text"] for name in NAMES for n in (1, 2, 3, 4))],
}


@pytest.fixture
def study(study_made_once):
    return study_made_once


@pytest.fixture
def owner(client, study):
    person = member("owner", study)
    client.force_login(person)
    return person


def stored():
    systems = System.objects.filter(kind="system").order_by("ordinal")
    return {system.name: system.attributes for system in systems}


def inputs(page):
    return fields_of(page.text, "attribute")


def key(kind, name):
    return f"{kind}-{System.objects.get(name=name).pk}"


@pytest.mark.dialect
def test_attributes_are_saved_with_a_record_and_a_new_revision(client, owner, study):
    fields = inputs(client.get(ADDRESS))
    assert fields["attribute"] == ["model", "parameter", "value", "group"]
    fields[key("human", "ARAE-lambda-5")] = ["no"]
    fields[key("values", "ARAE-lambda-5")] = ["ARAE", "", " 5 ", ""]
    page = client.post(ADDRESS, fields, follow=True)
    assert "Changed: ARAE-lambda-5." in page.text
    assert stored()["ARAE-lambda-5"] == {"human": False, "model": "ARAE", "value": "5"}
    assert stored()["REF"] == {"human": True}
    entry = AuditEntry.objects.get(action="change system")
    assert (entry.actor, entry.object) == (owner, "ARAE-lambda-5")
    assert (entry.before, entry.after) == ({}, stored()["ARAE-lambda-5"])
    before = study.revision
    study.refresh_from_db()
    assert study.revision == before + 1


def test_saving_without_a_change_changes_nothing(client, owner, study):
    System.objects.filter(name="REF").update(attributes={"human": True, "year": 2019, "note": ""})
    fields = inputs(client.get(ADDRESS))
    assert "Nothing had changed." in client.post(ADDRESS, fields, follow=True).text
    assert stored()["REF"] == {"human": True, "year": 2019, "note": ""}
    assert not AuditEntry.objects.filter(action="change system").exists()
    before = study.revision
    study.refresh_from_db()
    assert study.revision == before


def test_names_fill_the_table_but_nothing_is_saved_before_it_is_seen(client, owner):
    page = client.get(ADDRESS, {"pattern": "{model}-{parameter}-{value}"})
    assert "<strong>not saved yet</strong>" in page.text
    assert "The pattern does not fit: REF." in page.text
    assert stored()["CAAE-rho-0.01"] == {}
    client.post(ADDRESS, inputs(page))
    read = {"model": "CAAE", "parameter": "rho", "value": "0.01"}
    assert stored()["CAAE-rho-0.01"] == read
    assert stored()["REF"] == {"human": True}


def test_a_further_attribute_gets_a_column(client, owner):
    page = client.get(ADDRESS, {"name": "year"})
    fields = inputs(page)
    assert fields["attribute"][-1] == "year"
    fields[key("values", "REF")][-1] = "2019"
    client.post(ADDRESS, fields)
    assert stored()["REF"] == {"human": True, "year": "2019"}
    assert "column for" in client.get(ADDRESS, {"name": "human"}).text


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("human", ["perhaps"], "expected yes, no or nothing"),
        ("values", ["x" * 201, "", "", ""], "201 characters"),
        ("values", ["x"], "The table arrived incomplete"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_saved(client, owner, name, value, words):
    fields = inputs(client.get(ADDRESS)) | {key("values", "ARAE-lambda-5"): ["new", "", "", ""]}
    page = client.post(ADDRESS, fields | {key(name, "REF"): value})
    assert page.status_code == 400
    assert words in page.text
    assert stored()["ARAE-lambda-5"] == {}


def test_systems_of_another_study_are_out_of_reach(client, owner, tmp_path):
    files = {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS}
    other = import_path(write_files(tmp_path / "other", files), slug="other").study
    system = other.systems.get(name="BART")
    fields = inputs(client.get(ADDRESS))
    fields |= {f"human-{system.pk}": ["yes"], f"values-{system.pk}": ["a", "b", "c", "d"]}
    client.post(ADDRESS, fields)
    system.refresh_from_db()
    assert system.attributes == {}
