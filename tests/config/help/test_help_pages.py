"""The help: every link leads somewhere, pages keep to the policy, and words are found."""

from typing import Any

import pytest
from django.test import Client

from config.help.library import read_library
from config.help.views import the_library
from tests.config.static.test_static_policy import Inline
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one


def test_every_link_of_the_help_leads_somewhere_and_every_page_is_listed() -> None:
    assert the_library().problems() == []
    assert len(the_library().pages) == len(list(ROOT.glob("docs/**/*.md"))) > 40


def test_what_is_wrong_is_named(tmp_path: Any) -> None:
    (tmp_path / "index.md").write_text("# Help\n\n## Pages\n\n- [One](one.md#here)\n")
    (tmp_path / "one.md").write_text("# One\n\n[gone](gone.md), [file](a.csv), [two](two.md)\n")
    (tmp_path / "two.md").write_text("# Two\n\n[itself](#two), [not](#not), [out](../README.md)\n")
    assert read_library(tmp_path).problems() == [
        "index.md links to one.md#here",
        "one.md links to gone.md",
        "one.md links to a.csv",
        "two.md links to #not",
        "two.md is not in index.md",
    ]


@pytest.mark.django_db
def test_every_page_is_open_to_everybody_and_keeps_to_the_content_policy() -> None:
    browser = Client()
    for name in at_least_one(sorted(the_library().pages)):
        reply = browser.get(f"/help/{name}.html")
        assert reply.status_code == 200, name
        assert reply["Content-Security-Policy"].startswith("default-src 'self'")
        parser = Inline()
        parser.feed(reply.content.decode())
        assert parser.found == [], name


@pytest.mark.django_db
def test_pages_of_the_help_ask_the_database_for_nothing(
    client: Client, django_assert_num_queries: Any
) -> None:
    the_library()
    with django_assert_num_queries(0):
        client.get("/help/reports.html")
        client.get("/help/search.html?q=backup")


@pytest.mark.django_db
def test_the_help_is_searched_without_scripts(client: Client) -> None:
    page = client.get("/help/search.html", {"q": "backup <b>"}).content.decode()
    assert "0 parts of pages with “backup &lt;b&gt;”" in page
    page = client.get("/help/search.html", {"q": "backup sqlite"}).content.decode()
    assert '<a href="deployment.html#backup">Backup</a>' in page
