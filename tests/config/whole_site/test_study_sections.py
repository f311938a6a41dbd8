"""Where a study's pages stand: five sections, the reports by question, and what owners settle."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from analysis.reports.catalogue import GROUPS, LISTED
from analysis.study_sections import SECTIONS, SETTINGS, reports, section_of
from corpus.models import Membership, Study
from tests.fixtures.report_pages import open_page, reader, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "formality-demo"
PAGES = [page for section in (*SECTIONS, SETTINGS) for page in section.pages]


def owner() -> Client:
    """Return the browser of an owner of the demo study."""
    client = reader("una")
    study = Study.objects.get(slug=STUDY)
    Membership.objects.get_or_create(
        study=study, user=User.objects.get(username="una"), role="owner"
    )
    return client


def navigation(page, label: str) -> dict[str, str]:
    """Return the links of a navigation, with what each says of the page shown."""
    [nav] = [nav for nav in page.iter("nav") if nav.get("aria-label") == label]
    return {words(a): a.get("aria-current", "") for a in nav.iter("a")}


@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_every_page_names_the_section_it_stands_in(name):
    client, address = owner(), reverse(name, args=[STUDY])
    page = open_page(client, address, client.get(address).status_code)
    shown = [title for title, current in navigation(page, "Study").items() if current]
    section = section_of(name)
    title = next(page.title for page in PAGES if page.name == name)
    assert shown == ([title] if section is SETTINGS else [section.title])


def test_the_sections_are_five_and_settings_are_for_owners_only():
    page = open_page(reader("ria", STUDY), f"/studies/{STUDY}/segments/")
    assert [*navigation(page, "Study")] == ["Findings", "Texts", "Ratings", "Metrics", "Reports"]
    assert "Import" not in navigation(page, "Texts")
    page = open_page(owner(), f"/studies/{STUDY}/segments/")
    assert [*navigation(page, "Study")][5:] == [each.title for each in SETTINGS.pages]
    assert "Import" in navigation(page, "Texts")


def test_no_page_stands_in_two_sections():
    names = [page.name for page in PAGES]
    assert len(names) == len(set(names))
    with pytest.raises(LookupError, match="study-nowhere"):
        section_of("study-nowhere")


def test_reports_open_on_the_questions_and_say_when_to_read_which():
    page = open_page(reader("ria", STUDY), f"/studies/{STUDY}/reports/")
    assert [words(h) for h in page.iter("h2")] == [*GROUPS]
    for _, pages in reports():
        for each in pages:
            assert f"{each.title} {each.asks} {each.when}" in words(page)
    listed = {page.name for _, pages in reports() for page in pages}
    assert {kind.url_name for kind in LISTED} < listed


def test_beside_a_report_stand_all_the_others():
    page = open_page(reader("ria", STUDY), f"/studies/{STUDY}/agreement/")
    beside = navigation(page, "Reports")
    assert [title for title, current in beside.items() if current] == ["Agreement"]
    assert len(beside) == sum(len(pages) for _, pages in reports())
