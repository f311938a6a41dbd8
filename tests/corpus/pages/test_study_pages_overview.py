"""The list of studies and a study's own page."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from corpus.imports.service import create_study
from corpus.models import Membership, Study
from tests.fixtures.study_files import RATINGS, import_path, write_files

pytestmark = pytest.mark.django_db
PAGES = ("study", "study-segments", "study-systems", "study-metrics")


@pytest.fixture
def study(small_study, db):
    return Study.objects.get(slug="small")


@pytest.fixture
def people(study):
    people = {name: User.objects.create_user(name) for name in ("owner", "researcher", "stranger")}
    for role in ("owner", "researcher"):
        Membership.objects.create(study=study, user=people[role], role=role)
    people["administrator"] = User.objects.create_superuser("administrator")
    return people


@pytest.fixture
def show(client, people):
    def get(name, page, *arguments):
        client.force_login(people[name])
        return client.get(reverse(page, args=arguments))

    return get


def test_only_studies_that_a_person_may_open_are_listed(show, people):
    create_study("secret", people["stranger"], title="Secret")
    text = show("researcher", "home").text
    assert "A small study" in text
    assert "Secret" not in text
    both = show("administrator", "home").text
    assert "A small study" in both
    assert "Secret" in both


def test_simulated_ratings_are_marked_wherever_the_study_shows(show):
    Study.objects.update(simulated=True)
    for page, arguments in [("home", []), *((page, ["small"]) for page in PAGES)]:
        assert "simulated ratings" in show("owner", page, *arguments).text
    assert "No human rated these outputs" in show("owner", "study", "small").text


def test_a_study_page_costs_the_same_however_much_it_holds(show, study, tmp_path):
    show("owner", "study", "small")
    with CaptureQueriesContext(connection) as before:
        show("owner", "study", "small")
    more = [[*row[:2], f"x{row[2]}", f"new {row[3]}", row[4]] for row in RATINGS[1:]]
    scores = [["segment_id", "system", "metric", "score"]]
    scores += [["s1", "T5", f"metric {number}", "1"] for number in range(10)]
    files = {"second.csv": [RATINGS[0], *more], "scores.csv": scores}
    assert import_path(write_files(tmp_path / "more", files)).state == "done"
    # Ratings are counted once for each state of the study.
    show("owner", "study", "small")
    with CaptureQueriesContext(connection) as after:
        text = show("owner", "study", "small").text
    assert "12 metric runs" in text
    assert len(after) == len(before)


def test_a_new_study_belongs_to_who_made_it(client, people):
    client.force_login(people["stranger"])
    fields = {"title": "Mine", "slug": "mine", "language": "en"}
    answer = client.post(reverse("study-new"), fields, follow=True)
    assert "The study was created. It is empty: import its texts next." in answer.text
    assert Membership.objects.get(study__slug="mine").role == "owner"


@pytest.mark.parametrize(
    ("slug", "words"),
    [("small", "the name &#x27;small&#x27; is not available"), ("two words", "valid “slug”")],
)
def test_a_short_name_that_cannot_be_is_refused(client, people, slug, words):
    client.force_login(people["owner"])
    page = client.post(reverse("study-new"), {"title": "T", "slug": slug, "language": "en"})
    assert page.status_code == 400
    assert words in page.text


@pytest.mark.parametrize(
    ("title", "slug", "words"),
    [
        ("Formality, 2nd try", "formality-2nd-try", ""),
        ("Small", "", "the name &#x27;small&#x27; is not available"),
        ("评价", "", "No short name can be made"),
    ],
)
def test_a_short_name_is_made_from_the_title(client, people, title, slug, words):
    client.force_login(people["owner"])
    page = client.post(reverse("study-new"), {"title": title, "slug": "", "language": "en"})
    assert getattr(page, "url", "") == (reverse("study", args=[slug]) if slug else "")
    assert words in page.text
