"""The list of studies and a study's own page."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Annotator
from corpus.imports.service import create_study
from corpus.jobs.queue import ask_for_job
from corpus.models import Membership, Study
from tests.fixtures.study_files import RATINGS, TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
PAGES = ("study", "study-segments", "study-systems", "study-metrics")
OWNER_PAGES = ("study-members", "study-import")


@pytest.fixture
def study(tmp_path):
    job = import_path(write_files(tmp_path / "small", TABLES))
    assert job.state == "done", job.error
    return job.study


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


def test_the_list_counts_segments_systems_and_outputs(show):
    text = "".join(show("owner", "home").text.split())
    assert '<tdclass="number">4</td><tdclass="number">2</td><tdclass="number">8</td>' in text


def test_who_has_no_study_is_told_what_to_do(show):
    text = show("stranger", "home").text
    assert "There is no study yet that you may open." in text
    assert f'href="{reverse("study-new")}"' in text


def test_simulated_ratings_are_marked_wherever_the_study_shows(show):
    Study.objects.update(simulated=True)
    for page, arguments in [("home", []), *((page, ["small"]) for page in PAGES)]:
        assert "simulated ratings" in show("owner", page, *arguments).text
    assert "No human rated these outputs" in show("owner", "study", "small").text


def test_the_list_costs_the_same_for_one_study_and_for_ten(show, people):
    show("owner", "home")
    with CaptureQueriesContext(
        connection,
    ) as one:
        show("owner", "home")
    for number in range(10):
        create_study(f"study-{number}", people["owner"])
    with CaptureQueriesContext(connection) as ten:
        text = show("owner", "home").text
    assert "study-9" in text
    assert len(ten) == len(one)


def test_a_study_says_what_it_holds(show):
    text = " ".join(show("researcher", "study", "small").text.split())
    for words in (
        "4 sources, 4 references",
        "8 outputs",
        "2 systems",
        "informal → formal: 2 segments",
        "formal → informal: 2 segments",
        "Direct assessment",
        "content <small>0 to 100</small>",
        "2 human raters",
        "<dd>32</dd>",
        "All segments of the files, unchanged.",
        "segments: 4 added",
    ):
        assert words in text


def test_averaged_raters_are_shown_as_what_they_are(show, study, tmp_path):
    means = [[*row[:2], "mean of 3 raters", *row[3:]] for row in RATINGS[1:] if row[2] == "r1"]
    path = write_files(tmp_path / "more", {"means.csv": [RATINGS[0], *means]})
    assert import_path(path).state == "done"
    assert "mean of 3 raters" in show("owner", "study", "small").text
    Annotator.objects.filter(kind="mean").update(kind="unstated", raters=None)
    assert "not stated" in show("owner", "study", "small").text


def test_an_unknown_metric_is_marked_as_not_declared(show, tmp_path):
    rows = [["segment_id", "system", "metric", "score"], ["s1", "T5", "brand-new", "1"]]
    assert import_path(write_files(tmp_path / "more", {"scores.csv": rows})).state == "done"
    assert "not declared" in show("owner", "study-metrics", "small").text


def test_an_empty_study_says_what_to_do(show, people):
    create_study("empty", people["owner"])
    text = show("owner", "study", "empty").text
    assert "This study holds no texts yet." in text
    assert f'href="{reverse("study-import", args=["empty"])}"' in text
    for page in (*PAGES, *OWNER_PAGES):
        assert show("owner", page, "empty").status_code == 200


def test_a_running_import_is_announced(show, study):
    job = ask_for_job("import", "key", study=study, user=None, parameters={"path": ""})
    assert f'href="{reverse("job", args=[job.pk])}"' in show("researcher", "study", "small").text


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


@pytest.mark.parametrize("page", [*PAGES, *OWNER_PAGES])
def test_strangers_cannot_tell_a_study_from_one_that_does_not_exist(show, page):
    assert show("stranger", page, "small").status_code == 404
    assert show("stranger", page, "none").status_code == 404


@pytest.mark.parametrize("page", OWNER_PAGES)
def test_researchers_are_kept_out_of_the_owners_pages(show, page):
    assert show("researcher", page, "small").status_code == 403
    assert show("owner", page, "small").status_code == 200
    assert show("administrator", page, "small").status_code == 200


def test_tabs_of_owners_are_not_shown_to_researchers(show):
    address = reverse("study-members", args=["small"])
    assert address in show("owner", "study-segments", "small").text
    assert address not in show("researcher", "study-segments", "small").text


@pytest.mark.parametrize("page", ["home", "study-new"])
def test_who_is_not_signed_in_is_asked_to(client, page):
    assert client.get(reverse(page)).url.startswith(reverse("login"))


@pytest.mark.parametrize("page", [*PAGES, *OWNER_PAGES])
def test_who_is_not_signed_in_is_asked_to_on_study_pages(client, study, page):
    assert client.get(reverse(page, args=["small"])).url.startswith(reverse("login"))


def test_a_new_study_belongs_to_who_made_it(client, people):
    client.force_login(people["stranger"])
    fields = {"title": "Mine", "slug": "mine", "language": "en"}
    answer = client.post(reverse("study-new"), fields, follow=True)
    assert "The study was created. It is empty: import its texts next." in answer.text
    assert Membership.objects.get(study__slug="mine").role == "owner"


@pytest.mark.parametrize(
    ("slug", "words"),
    [
        ("small", "the name &#x27;small&#x27; is not available"),
        ("new", "the name &#x27;new&#x27; is not available"),
        ("two words", "valid “slug”"),
    ],
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
