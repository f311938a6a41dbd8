"""Rating pages in German, of an English study and next to a campaign in English."""

import re

import pytest

from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.rating_pages import entered

pytestmark = pytest.mark.django_db
GERMAN = {"language": "de"}


def test_texts_keep_the_language_of_their_study_on_pages_in_another():
    _, [annotator] = make_campaign(make_study(), annotators=1, config=GERMAN)
    page = entered(annotator).get(f"/rate/{annotator.public_id}/").text
    assert '<html lang="de">' in page
    assert set(re.findall(r'class="text" lang="(\w+)"', page)) == {"en"}
    assert 'hreflang="en"' in page


def test_two_campaigns_that_are_rated_at_once_keep_their_languages():
    _, [german] = make_campaign(make_study(slug="a"), annotators=1, config=GERMAN)
    _, [english] = make_campaign(make_study(slug="b"), annotators=1)
    both = [(entered(german), german, "Speichern"), (entered(english), english, "Save and go")]
    for client, annotator, words in both * 2:
        assert words in client.get(f"/rate/{annotator.public_id}/").text
