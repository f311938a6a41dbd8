"""The pages of a study in a real browser: the whole way by keyboard, and what axe says of each."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from corpus.imports.service import create_study
from corpus.models import Membership
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.foreign_layouts import BATCH
from tests.fixtures.import_pages import ImportPages
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def open_page(open_as):
    """Open an address as a person, or as nobody who is signed in."""

    def opened(person, address, **options):
        client = Client()
        if person is not None:
            client.force_login(person)
        return open_as(client if person else None, address, **options)

    return opened


@pytest.fixture
def owner():
    return User.objects.create_user("ada", password="a long enough word")


@pytest.fixture
def study(owner, tmp_path):
    study = import_path(write_files(tmp_path / "small", TABLES)).study
    Membership.objects.create(study=study, user=owner, role="owner")
    return study


def reach(page, target, most=80):
    """Press Tab until something has the focus; what cannot be reached fails."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{target} is not reached by {most} presses of Tab")


def press(page, role, name):
    """Reach a link or button by Tab and press Enter."""
    reach(page, page.get_by_role(role, name=name, exact=True).first)
    page.keyboard.press("Enter")


def write(page, label, text):
    reach(page, page.get_by_label(label).first)
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(text)


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_the_mapping_page_has_no_barrier_with_everything_unfolded(
    open_page, owner, client, width, dark
):
    create_study("small", owner)
    client.force_login(owner)
    files = TABLES | {
        "Batch_1_results.csv": BATCH,
        "latin.csv": "segment,source\ns1,déjà vu\n".encode("windows-1252"),
        "words.csv": [["word", "weight"], ["good", "1"]],
        "long.csv": [["id", "source"], ["s1", "x" * 500]],
    }
    address, _ = ImportPages(client).upload(files)
    page = open_page(owner, address, width=width, dark=dark)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert_usable(page)


def test_a_filter_is_sent_on_change_and_keeps_the_focus(open_page, owner, study):
    page = open_page(owner, "/studies/small/segments/")
    page.get_by_label("direction").select_option("formal → informal")
    page.get_by_text("2 segments").wait_for()
    assert page.locator("#filter_direction").evaluate("e => e === document.activeElement")


@pytest.mark.parametrize(("width", "dark"), WIDTHS[:2])
def test_a_researcher_is_invited_and_joins_by_keyboard(open_page, owner, study, width, dark):
    size = {"width": width, "dark": dark}
    page = open_page(owner, "/studies/small/members/", **size)
    write(page, "For whom", "Grace")
    press(page, "button", "Make an invitation link")
    page.get_by_text("This link is shown only now").wait_for()
    link = page.locator("[data-copy]").get_attribute("data-copy")

    visitor = open_page(None, "/" + link.split("/", 3)[3], **size)
    for shown in (page, visitor):
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
    write(visitor, "Username", "grace")
    write(visitor, "Password", "long-and-odd-1906")
    write(visitor, "Password confirmation", "long-and-odd-1906")
    press(visitor, "button", "Make the account and join")
    visitor.get_by_text("Welcome to").wait_for()
    assert study.memberships.get(user__username="grace").role == "researcher"
