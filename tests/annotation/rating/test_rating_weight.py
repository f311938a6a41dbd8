"""What a rating page weighs: every layout with as many texts as it takes, in every language."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import find

from annotation.models import Campaign
from annotation.protocols.catalogue import LIVE
from annotation.protocols.language import LANGUAGES
from corpus.models import Output
from tests.fixtures.by_night import by_night
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.rating_pages import entered

MOST_BYTES = 100_000
MOST_REQUESTS = 6
OUTPUTS = 10
LONG = "A text about as long as those that people rate, which takes a little longer to read. " * 2

pytestmark = pytest.mark.django_db


@pytest.fixture
def _long_texts(monkeypatch):
    """Let outputs be long, and some the source itself: pages then list contradictions too."""
    create = Output.objects.bulk_create

    def long(outputs, **options):
        for each in outputs:
            each.text = LONG if each.system.ordinal < 4 else f"{LONG}{each.system}"
        return create(outputs, **options)

    monkeypatch.setattr(Output.objects, "bulk_create", long)


def loaded(page):
    """The bytes of a page and of each style and script that it loads, uncompressed."""
    head = page.text.partition("</head>")[0]
    names = re.findall(r'(?:href|src)="/static/([^"]+\.(?:css|js))"', head)
    return [len(page.content), *(Path(find(name)).stat().st_size for name in names)]


@pytest.mark.parametrize("key", by_night(LIVE, "best_worst", "likert", "direct_assessment"))
@pytest.mark.usefixtures("_long_texts")
def test_the_heaviest_page_of_a_protocol_is_light_in_every_language(key):
    config = {"table": True} if LIVE[key].layout.takes_table else {}
    if key == "content_preservation":
        config["masked"] = False
    study = make_study(2, OUTPUTS)
    campaign, [annotator] = make_campaign(study, key, annotators=1, config=config)
    client = entered(annotator)
    for language in LANGUAGES:
        Campaign.objects.filter(pk=campaign.pk).update(config=config | {"language": language})
        sizes = loaded(client.get(f"/rate/{annotator.public_id}/"))
        assert 3 <= len(sizes) <= MOST_REQUESTS, language
        assert 50_000 < sum(sizes) < MOST_BYTES, (language, sizes)
