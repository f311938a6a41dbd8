"""Journeys of those who use the site, by keys alone: the focus is always seen, and never lost."""

import pytest
from django.contrib.auth.models import User

from analysis.models import FrozenReport
from annotation.models import Rating
from annotation.people.invitations import new_links
from corpus.jobs.worker import run_next
from corpus.models import Membership, Study
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.keyboard import assert_focus_is_seen, is_on, tab_to
from tests.fixtures.report_pages import DEMO, imported
from tests.fixtures.study_files import OUTPUTS, SEGMENTS, write_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "a cup of cold tea"


class Walk:
    """Somebody at a page without a mouse; each step checks where the focus is."""

    def __init__(self, page):
        self.page = page
        page.emulate_media(reduced_motion="reduce")

    def to(self, selector):
        if not is_on(self.page, selector):
            tab_to(self.page, selector, seen=True)

    def write(self, selector, text):
        self.to(selector)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def key(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def follow(self, selector, then):
        """Press a link or button that leads to another page, and wait for something there."""
        self.to(selector)
        self.key("Enter")
        self.page.locator(then).first.wait_for()

    def open(self, selector):
        """Open a menu or section, whose button keeps the focus."""
        self.to(selector)
        self.key("Enter")
        assert_focus_is_seen(self.page)

    def sign_in(self, name):
        self.write("#id_login", name)
        self.write("#id_password", PASSWORD)
        self.key("Enter")
        self.page.locator(".account summary").wait_for()


@pytest.fixture
def walk(open_as):
    """Walk from the sign-in page; a person of that name is a member of all studies."""

    def begin(name, role="owner", **facts):
        person = User.objects.create_user(name, password=PASSWORD, **facts)
        for study in Study.objects.all():
            Membership.objects.create(study=study, user=person, role=role)
        walker = Walk(open_as(None, "/sign-in/"))
        walker.sign_in(name)
        return walker

    return begin


@pytest.fixture
def demo():
    with imported(DEMO, stored=True):
        yield


@pytest.mark.usefixtures("demo")
def test_a_researcher_goes_from_findings_to_a_frozen_report(walk):
    walker = walk("ada")
    page = walker.page
    walker.follow("#systems .more a", "h1:has-text('Which systems are rated higher')")
    walker.to("#filter_aspect")
    walker.key("ArrowDown")
    page.wait_for_url("**/system-comparison/?aspect=content")
    page.locator("#report:not(.htmx-settling) h2:has-text('Content')").first.wait_for()
    assert is_on(page, "#filter_aspect")
    assert_focus_is_seen(page)
    walker.to("th button.sort")
    before = page.locator("tbody th").all_inner_texts()
    walker.key("Enter")
    assert page.locator("tbody th").all_inner_texts() != before
    assert_focus_is_seen(page)
    walker.open("#section-downloads > summary")
    walker.to("#section-downloads a[download]")
    with page.expect_download() as download:
        walker.key("Enter")
    assert download.value.suggested_filename.endswith((".zip", ".csv"))
    walker.open("#section-keep > summary")
    walker.write("#freeze-title", "For the paper")
    walker.key("Enter")
    page.wait_for_url("**/frozen/*/")
    assert FrozenReport.objects.get().title == "For the paper"


def test_an_owner_goes_from_files_to_personal_links(walk, tmp_path):
    folder = write_files(tmp_path / "files", {"segments.csv": SEGMENTS, "outputs.csv": OUTPUTS})
    walker = walk("ada")
    page = walker.page
    walker.follow("main a[href='/studies/new/']", "#id_title")
    walker.write("#id_title", "Small")
    walker.to("#id_files")
    with page.expect_file_chooser() as chooser:
        walker.key("Space")
    chooser.value.set_files(sorted(folder.iterdir()))
    walker.follow("main button.primary", "button[name=start]")
    walker.follow("main button.primary[name=start]", "section.job")
    assert run_next().state == "done"
    page.wait_for_url("**/studies/small/")
    walker.follow(".steps .next a", "#id_follows")
    walker.write("#id_title", "Pilot")
    walker.follow("button[value='preset:direct-assessment-2022']", "h1:has-text('Prepare Pilot')")
    walker.follow("main button.primary", "#confirmed")
    walker.to("#confirmed")
    walker.key("Space")
    walker.follow("main button.primary", "h2:has-text('Personal links')")
    walker.follow("main button.primary", "[data-copy]")
    walker.to("[data-copy]")


def test_an_annotator_goes_from_the_link_to_the_end_and_back_once(open_as):
    practice = [{"output": ["s0", "system-0"], "expected": {"naturalness": [4, 5]}}]
    _, [annotator] = make_campaign(
        make_study(2, 1), "absolute_naturalness", annotators=1, consent="Answers are stored.",
        selection={"practice": practice},
    )  # fmt: skip
    walker = Walk(open_as(None, f"/join/{new_links([annotator])[annotator.pk]}/"))
    page = walker.page
    walker.to("#consent")
    walker.key("Space")
    walker.follow("main button.primary", "button.primary:focus")
    assert_focus_is_seen(page)
    walker.key("Enter")
    page.get_by_text("Practice: after your answer").wait_for()
    ready(page)
    walker.key("5", "Enter")
    page.locator("a.button:focus").wait_for()
    assert_focus_is_seen(page)
    walker.key("Enter")
    first = rated(walker, "4")
    page.keyboard.press("z")
    page.wait_for_function(
        "n => document.querySelector('[name=assignment]')?.value === n", arg=first
    )
    assert_focus_is_seen(page)
    rated(walker, "2")
    walker.key("3", "Enter")
    page.get_by_role("heading", name="Thank you").wait_for()
    assert list(Rating.objects.order_by("pk").values_list("value", flat=True)) == [5, 4, 2, 3]


def ready(page):
    """Wait until keys answer: the focus is set when the page is there, its scripts run then."""
    page.locator("form.screen :focus").wait_for()
    page.wait_for_load_state("load")


def rated(walker, key):
    """Answer a screen; return its identifier once another is shown, where the focus is seen."""
    ready(walker.page)
    before = walker.page.locator("[name=assignment]").get_attribute("value")
    walker.key(key, "Enter")
    walker.page.wait_for_function(
        "n => document.querySelector('[name=assignment]')?.value !== n", arg=before
    )
    walker.page.locator("form.screen :focus").wait_for()
    assert_focus_is_seen(walker.page)
    return before
