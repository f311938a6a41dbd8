"""The help: every link leads somewhere, pages keep to the policy, and words are found."""

import re
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from config.help.library import find_help, read_library
from config.help.markdown import render_page
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


def test_headings_have_the_anchors_that_github_gives_them() -> None:
    text = "# A page\n\n## What's new: `--x`, “that”?\n\n## Again\n\n## Again\n"
    page = render_page("a", text)
    anchors = ["a-page", "whats-new---x-that", "again", "again-1"]
    assert [part.anchor for part in page.parts] == anchors
    assert re.findall(r'id="([^"]+)"', page.html) == anchors


def test_wide_code_and_tables_are_scrolled_by_keyboard() -> None:
    page = render_page("a", "# A\n\n```sh\necho 1 > 2\n```\n\n| b |\n| --- |\n| c |\n")
    assert '<pre tabindex="0"><code>echo 1 &gt; 2\n</code></pre>' in page.html
    assert '<div class="scroll" role="region" aria-label="Table: A" tabindex="0">' in page.html
    assert page.parts[0].text == "echo 1 > 2 b c"


def test_links_lead_to_the_shown_page_and_links_out_of_the_help_are_words() -> None:
    text = "# A\n\n[b](../b.md#c) [code](../../README.md) [else](https://example.org/x.md)\n"
    page = render_page("folder/a", text)
    assert '<a href="../b.html#c">b</a>' in page.html
    assert "<span>code</span>" in page.html
    assert '<a href="https://example.org/x.md">else</a>' in page.html
    assert page.links == ("b.md#c",)


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
def test_what_is_no_page_of_the_help_is_not_found(client: Client) -> None:
    for path in ("no.html", "../README.html", "%2e%2e/manage.py", "statistics/", "index.md"):
        assert client.get(f"/help/{path}").status_code == 404, path
    assert client.get("/help/").status_code == 200
    notebook = client.get("/help/notebook.ipynb")
    assert b"".join(notebook) == (ROOT / "docs/notebook.ipynb").read_bytes()


@pytest.mark.django_db
def test_pages_of_the_help_ask_the_database_for_nothing(
    client: Client, django_assert_num_queries: Any
) -> None:
    the_library()
    with django_assert_num_queries(0):
        client.get("/help/reports.html")
        client.get("/help/search.html?q=backup")


def test_headings_with_the_words_come_before_texts_with_them() -> None:
    pages = the_library().pages.values()
    found = find_help(pages, "Backup SQLite")
    assert (found[0].title, found[0].address) == ("Backup", "deployment.html#backup")
    assert "SQLite" in found[0].excerpt
    assert find_help(pages, "backup no-such-word") == []
    assert find_help(pages, "  ") == []
    assert len(find_help(pages, "a", limit=7)) == 7


@pytest.mark.django_db
def test_the_help_is_searched_without_scripts(client: Client) -> None:
    page = client.get("/help/search.html", {"q": "backup <b>"}).content.decode()
    assert "0 parts of pages with “backup &lt;b&gt;”" in page
    page = client.get("/help/search.html", {"q": "backup sqlite"}).content.decode()
    assert '<a href="deployment.html#backup">Backup</a>' in page


def test_a_site_with_a_link_that_leads_nowhere_is_not_written(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.md").write_text("# Help\n\n[gone](gone.md)\n")
    library = read_library(tmp_path)
    monkeypatch.setattr("config.management.commands.docs_site.the_library", lambda: library)
    with pytest.raises(CommandError, match=r"index\.md links to gone\.md"):
        call_command("docs_site", output=tmp_path / "site")
    assert not (tmp_path / "site").exists()
