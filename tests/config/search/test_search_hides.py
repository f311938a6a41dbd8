"""The search shows nothing that who asks may not open."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from analysis.models import Collection
from corpus.models import Membership, Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.secret_study import SECRET
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
WORDS = (SECRET, "s1", "bart", "bleu", "ratings", "I will be")


@pytest.fixture
def study(small_secret_study, db) -> Study:
    return Study.objects.get(slug="small")


def browser(role: str, study: Study) -> Client:
    made = Client()
    person = User.objects.create_user(role, is_superuser=role == "superuser")
    if role in ("owner", "researcher"):
        Membership.objects.create(study=study, user=person, role=role)
    made.force_login(person)
    return made


def found(client: Client, words: str, **values: str) -> set[str]:
    """Kinds of which something was found, besides the help, which is everybody's."""
    for headers in ({}, {"HX-Request": "true"}):
        page = client.get("/search/", {"q": words} | values, headers=headers)
        kinds = {group.title for group in page.context["groups"] if group.hits}
    return kinds - {"Help"}


def test_a_stranger_finds_nothing_of_a_study(study):
    stranger = browser("stranger", study)
    for words in WORDS:
        assert found(stranger, words) == set(), words
        assert found(stranger, words, study="small") == set(), words
    assert found(stranger, "agreement", study="small") == set()


def test_who_may_open_it_finds_each_kind(study):
    reader = browser("researcher", study)
    assert {"Studies", "Collections"} <= found(reader, SECRET)
    assert "Segments" in found(reader, f"s1{SECRET}")
    assert "Systems" in found(reader, "bart")
    assert "Metrics" in found(reader, "bleu")
    assert "Campaigns" in found(reader, "ratings")
    assert "Reports and pages" in found(reader, "kappa")


@pytest.mark.parametrize("role", [pytest.param("owner", marks=pytest.mark.nightly), "superuser"])
def test_a_study_that_is_to_be_deleted_is_hidden_from_everybody(study, role):
    reader = browser(role, study)
    Study.objects.update(deletion_asked_at=timezone.now())
    for words in (*WORDS, "kappa"):
        assert found(reader, words, study="small") == set(), words


def test_of_two_studies_only_the_own_is_found(study, tmp_path):
    own = import_path(write_files(tmp_path / "own", TABLES), slug="own").study
    reader = browser("researcher", own)
    for words in at_least_one(["s1", "bart", "bleu", "ratings", "writes", "kappa"]):
        page = reader.get("/search/", {"q": words, "study": "small"})
        addresses = [hit.address for group in page.context["groups"] for hit in group.hits]
        studies = {address.split("/")[2] for address in addresses if "/studies/" in address}
        assert studies == {"own"}, words
        assert SECRET not in page.content.decode().replace(f"“{words}”", "")


def test_a_collection_with_a_study_that_is_closed_to_one_is_not_found(study, tmp_path):
    reader = browser("researcher", study)
    assert "Collections" in found(reader, SECRET)
    other = import_path(write_files(tmp_path / "other", TABLES), slug="other").study
    task = Collection.objects.get().tasks.get()
    task.pk, task.ordinal, task.study = None, 1, other
    task.save()
    assert "Collections" not in found(reader, SECRET)


def test_pages_for_owners_are_not_named_to_researchers(study):
    def pages(reader: Client, words: str) -> set[str]:
        groups = reader.get("/search/", {"q": words, "study": "small"}).context["groups"]
        return {hit.address for group in groups for hit in group.hits if "/studies/" in hit.address}

    reader, owner = browser("researcher", study), browser("owner", study)
    for words in at_least_one(["members", "publish", "data", "import", "scales"]):
        assert f"/studies/small/{words}/" not in pages(reader, words)
        assert f"/studies/small/{words}/" in pages(owner, words)
