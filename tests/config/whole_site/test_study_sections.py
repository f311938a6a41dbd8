"""Where a study's pages stand: five sections, the reports by question, and what owners settle."""

import pytest
from django.test import Client

from analysis.reports.catalogue import GROUPS, LISTED
from analysis.study_sections import SETTINGS, pages_of_reports, reports
from corpus.models import Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.report_pages import open_page, reader, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "formality-demo"


def owner() -> Client:
    """Return the browser of an owner of the demo study."""
    return signed_in("una", Study.objects.get(slug=STUDY))


def navigation(page, label: str) -> dict[str, str]:
    """Return the links of a navigation, with what each says of the page shown."""
    [nav] = [nav for nav in page.iter("nav") if nav.get("aria-label") == label]
    return {words(a): a.get("aria-current", "") for a in nav.iter("a")}


def test_the_sections_are_five_and_settings_are_for_owners_only():
    page = open_page(reader("ria", STUDY), f"/studies/{STUDY}/segments/")
    assert [*navigation(page, "Study")] == ["Findings", "Texts", "Ratings", "Metrics", "Reports"]
    assert "Import" not in navigation(page, "Texts")
    page = open_page(owner(), f"/studies/{STUDY}/segments/")
    assert [*navigation(page, "Study")][5:] == [each.title for each in SETTINGS.pages]
    assert "Import" in navigation(page, "Texts")


def test_reports_open_on_the_questions_and_say_when_to_read_which():
    page = open_page(reader("ria", STUDY), f"/studies/{STUDY}/reports/")
    assert [words(h) for h in page.iter("h2")] == [*GROUPS]
    for _, pages in reports():
        for each in pages:
            assert f"{each.title} {each.asks} {each.when}" in words(page)
            for tab in each.tabs[1:]:
                assert f"{tab.title}: {tab.asks}" in words(page)
    listed = [name for _, pages in reports() for page in pages for name in page.names]
    assert {kind.url_name for kind in LISTED} < {*listed}
    assert len(pages_of_reports()) == 12 + len(["frozen reports"])


def test_a_report_lists_five_first_and_its_tabs_with_the_question_kept():
    address = f"/studies/{STUDY}/ranking/?aspect=style&leave_out=plain"
    page = open_page(reader("ria", STUDY), address)
    listed = navigation(page, "Reports")
    assert [*listed][:5] == [
        "Agreement", "Systems", "Correlation", "Metric comparison", "Stand-in",
    ]  # fmt: skip
    assert {name: shown for name, shown in listed.items() if shown} == {"Systems": "true"}
    tabs = navigation(page, "Systems")
    assert {name: shown for name, shown in tabs.items() if shown} == {"Mean ratings": "page"}
    [nav] = [nav for nav in page.iter("nav") if nav.get("aria-label") == "Systems"]
    asked = [a.get("href") for a in nav.iter("a")]
    assert len(asked) == 4
    assert all("leave_out=plain" in address for address in asked)
