"""A whole session of rating in German, as a browser has it, with an English study beside it."""

import re

import pytest
from django.test import Client

from annotation.models import Submission
from annotation.people.invitations import new_links
from tests.fixtures.campaigns import answers_for, make_campaign, make_study
from tests.fixtures.rating_pages import entered, open_screen, submit

pytestmark = pytest.mark.django_db
GERMAN = {"language": "de"}


def titled(html: str) -> list[str]:
    return re.findall(r"<h1[^>]*>(.*?)</h1>", html)


def test_a_session_is_german_from_the_link_to_the_code():
    campaign, [annotator] = make_campaign(
        make_study(2, 1), "likert", annotators=1, config=GERMAN, consent="Ich nehme teil."
    )
    client = Client(headers={"Accept-Language": "fr"})
    page = client.get(f"/join/{new_links([annotator])[annotator.pk]}/", follow=True)
    assert titled(page.text) == ["Bevor Sie beginnen"]
    assert '<html lang="de">' in page.text
    base = f"/rate/{annotator.public_id}/"
    page = client.post(f"{base}consent/", {"consent": "yes"}, follow=True)
    assert titled(page.text) == ["Anleitung"]
    page = client.post(f"{base}guidelines/read/", follow=True)
    assert "Wie viel vom Inhalt des Ausgangstextes bewahrt die Fassung?" in page.text
    form = open_screen(client, annotator)
    wrong = submit(client, annotator, form, style="9", content="3")
    assert "Stil: 9 liegt nicht zwischen 1 und 5" in wrong.text
    assert "Sprachfluss: noch nicht beantwortet" in wrong.text
    while form := open_screen(client, annotator):
        page = submit(client, annotator, form, **answers_for(campaign, 3))
    assert titled(page.text) == ["Vielen Dank, das war alles"]
    assert "Sie haben 2 Texte beantwortet; alles ist gespeichert." in page.text
    assert Submission.objects.count() == 2
    assert titled(client.get(f"{base}done/").text) == ["Bisherige Antworten"]


def test_texts_keep_the_language_of_their_study_on_pages_in_another():
    _, [annotator] = make_campaign(make_study(), annotators=1, config=GERMAN)
    page = entered(annotator).get(f"/rate/{annotator.public_id}/").text
    assert '<html lang="de">' in page
    assert set(re.findall(r'class="text" lang="(\w+)"', page)) == {"en"}
    assert 'hreflang="en"' in page


def test_a_campaign_in_english_and_pages_of_owners_stay_english(admin_client):
    _, [annotator] = make_campaign(make_study(), annotators=1)
    client = entered(annotator)
    german = {"Accept-Language": "de"}
    assert "Save and go on" in client.get(f"/rate/{annotator.public_id}/", headers=german).text
    assert '<html lang="en"' in admin_client.get("/", headers=german).text


def test_two_campaigns_that_are_rated_at_once_keep_their_languages():
    _, [german] = make_campaign(make_study(slug="a"), annotators=1, config=GERMAN)
    _, [english] = make_campaign(make_study(slug="b"), annotators=1)
    both = [(entered(german), german, "Speichern"), (entered(english), english, "Save and go")]
    for client, annotator, words in both * 2:
        assert words in client.get(f"/rate/{annotator.public_id}/").text
