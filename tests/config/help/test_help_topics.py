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
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.secret_study import ANNOTATORS, STUDY, address, routes, secret_study

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


def test_every_topic_is_of_an_address_that_there_is() -> None:
    assert {*TOPICS} - {name for name, _ in routes()} == set()


def test_every_page_outside_of_studies_has_a_topic_and_links_to_it(tmp_path: Path) -> None:
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
            if browser is browsers[1] and STUDY.search(pattern):
                continue  # What owners are shown is looked at by test_access_matrix.py.
            reply = browser.get(address(pattern, name))
            if reply.streaming or reply.status_code != 200 or b"<header>" not in reply.content:
                continue
            shown.add(name)
            [link] = HELP.findall(reply.content.decode())
            if name not in TOPICS or link != topic_address(name):
                without[name] = link
    assert without == {}
    assert len(shown) > 10, shown
