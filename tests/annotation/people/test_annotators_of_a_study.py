"""Everybody who rates in a study is listed once, with all that they rated."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotator, Campaign, CampaignSet, Participant
from annotation.people.of_study import raters_of_study
from annotation.people.withdrawing import withdraw
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import judge, make_campaign, make_study
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
PAGE = "/studies/small/annotators/"


def listed(study):
    return {(row.name, len(row.tasks)): row for row in raters_of_study(study)}


def test_ratings_aspects_and_the_median_time_are_those_of_their_answers():
    study = make_study()
    _, [first, second] = make_campaign(study, annotators=2)
    for seconds in (10, 20, 60):
        judge(first, 1, active_seconds=seconds)
    judge(second, 1)
    one, other = raters_of_study(study)
    assert (one.name, one.kind, one.ratings, one.seconds) == (str(first), "human rater", 9, 20)
    assert one.aspects == {"content": 3, "fluency": 3, "style": 3}
    assert (other.ratings, other.seconds) == (3, None)


def test_who_rates_in_a_set_is_one_and_annotators_of_other_campaigns_are_others():
    study = make_study()
    together = CampaignSet.objects.create(study=study, slug="both", title="Both")
    person = Participant.objects.create(set=together, pseudonym="annotator 1", number=0)
    for position in range(2):
        campaign, [annotator] = make_campaign(study, annotators=1)
        Campaign.objects.filter(pk=campaign.pk).update(set=together, position=position)
        Annotator.objects.filter(pk=annotator.pk).update(participant=person)
        judge(annotator, 2)
    _, [alone] = make_campaign(study, annotators=1)
    judge(alone, 1)
    found = listed(study)
    assert {key: row.ratings for key, row in found.items()} == {
        ("annotator 1", 2): 12,
        ("annotator 1", 1): 3,
    }


def test_an_imported_name_is_one_rater_and_models_come_after_people(tmp_path):
    study = import_path(write_files(tmp_path / "small", TABLES)).study
    Annotator.objects.filter(pk=Annotator.objects.order_by("pk")[0].pk).update(kind="model")
    rows = raters_of_study(study)
    assert len(rows) == Annotator.objects.values("pseudonym").distinct().count() > 1
    assert [row.kind for row in rows] == ["human rater"] * (len(rows) - 1) + ["model"]
    assert sum(row.ratings for row in rows) > 0


def test_withdrawn_work_is_marked_and_does_not_count():
    study = make_study()
    owner = signed_in("ada", study)
    campaign, [first, _] = make_campaign(study, annotators=2)
    judge(first, 2)
    withdraw(first, "careless", None)
    page = owner.get(PAGE)
    [gone, _] = page.context["rows"]
    assert (gone.ratings, gone.is_withdrawn) == (0, True)
    assert page.content.decode().count("withdrawn</span>") == 1
    assert f"/studies/small/campaigns/{campaign.slug}/annotators/{first.pk}/" in page.text


def test_many_annotators_take_as_many_queries_as_few():
    study = make_study()
    owner = signed_in("ada", study)
    counted = []
    for annotators in (1, 5):
        for annotator in make_campaign(study, annotators=annotators)[1]:
            judge(annotator, 2, active_seconds=5)
        with CaptureQueriesContext(connection) as queries:
            assert owner.get(PAGE).status_code == 200
        counted.append(len(queries))
    assert counted[0] == counted[1] < 20


def test_researchers_see_pseudonyms_without_links_to_people():
    study = make_study()
    make_campaign(study, annotators=1)
    reader = signed_in("ria", study, role="researcher")
    page = reader.get(PAGE).text
    assert "annotator 1" in page
    assert "/annotators/" not in page.partition("<tbody>")[2]
