"""Every page of the site leads to the help that explains it."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from analysis.reports.catalogue import LISTED
from config.help.topics import TOPICS, topic_address
from config.help.views import the_library
from corpus.models import Membership
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.rating_pages import entered
from tests.fixtures.report_pages import reader
from tests.fixtures.secret_study import ANNOTATORS, address, routes, secret_study

pytestmark = pytest.mark.django_db
HELP = re.compile(r'<a href="/help/([^"]+)">Help</a>')


def anchors() -> set[str]:
    """Return every address of the help, with and without a heading."""
    pages = the_library().pages.values()
    return {page.address for page in pages} | {
        f"{page.address}#{part.anchor}" for page in pages for part in page.parts
    }


def test_every_topic_names_a_page_and_a_heading_that_there_is() -> None:
    known = anchors()
    assert {name: topic_address(name) for name in TOPICS if topic_address(name) not in known} == {}
    assert [kind.key for kind in LISTED if kind.defined not in known] == []


def test_the_page_of_reports_lists_every_report() -> None:
    page = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| [\w-]+ \| .* \| `/studies/STUDY/([\w-]+)/` \|$", page, re.M)
    assert sorted(listed) == sorted(kind.key for kind in LISTED)


def test_every_topic_is_of_an_address_that_there_is() -> None:
    assert {*TOPICS} - {name for name, _ in routes()} == set()


def test_an_address_without_a_topic_leads_to_the_first_page() -> None:
    assert topic_address(None) == topic_address("no-such-page") == "index.html"


def test_every_page_that_is_shown_has_a_topic_and_links_to_it(tmp_path: Path) -> None:
    study = secret_study(tmp_path / "small")
    owner = User.objects.create_superuser("owner")
    Membership.objects.create(study=study, user=owner, role="owner")
    browsers = Client(), Client()
    browsers[1].force_login(owner)
    shown, without = set(), {}
    for name, pattern in at_least_one(sorted(set(routes()))):
        if name != "api-docs" and (ANNOTATORS.match(name) or name.startswith(("help", "api-"))):
            continue
        for browser in browsers:
            reply = browser.get(address(pattern, name))
            if reply.streaming or reply.status_code != 200 or b"<header>" not in reply.content:
                continue
            shown.add(name)
            [link] = HELP.findall(reply.content.decode())
            if name not in TOPICS or link != topic_address(name):
                without[name] = link
    assert without == {}
    assert len(shown) > 40


def test_annotators_are_led_to_their_page() -> None:
    annotator = make_campaign(make_study())[1][0]
    page = entered(annotator).get(f"/rate/{annotator.public_id}/", follow=True).content.decode()
    assert '<a href="/help/annotators.html" hreflang="en">Help</a>' in page


def test_a_report_leads_to_the_definition_of_its_statistics(demo: None) -> None:
    page = reader("ada", "formality-demo").get("/studies/formality-demo/agreement/?resamples=100")
    assert '<a href="/help/statistics/agreement.html">How each number is defined</a>' in (
        page.content.decode()
    )
