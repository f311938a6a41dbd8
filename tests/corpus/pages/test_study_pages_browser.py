"""The pages of a study in a real browser: the whole way by keyboard, and what axe says of each."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from corpus.imports.service import create_study
from corpus.jobs.worker import run_next
from corpus.models import Membership, Study
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.foreign_layouts import BATCH
from tests.fixtures.import_pages import ImportPages
from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DEMO = ROOT / "demo" / "formality-demo"


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


@pytest.mark.nightly
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_study_is_made_of_files_by_keyboard(open_page, owner, scripts, tmp_path):
    # One column has a name that says nothing, so that something is there to correct.
    ratings = (DEMO / "ratings.csv").read_text(encoding="utf-8")
    named = tmp_path / "ratings.csv"
    named.write_text(ratings.replace(",rater,", ",who,", 1), encoding="utf-8")
    files = [DEMO / f"{name}.csv" for name in ("segments", "outputs", "metric_scores")]
    page = open_page(None, "/", scripts=scripts)
    page.locator("#id_login:focus").wait_for()
    page.keyboard.type("ada")
    write(page, "Password", "a long enough word")
    page.keyboard.press("Enter")
    page.get_by_text("There is no study yet").wait_for()

    press(page, "link", "New study")
    write(page, "Title", "Made by keyboard")
    write(page, "Short name", "by-keyboard")
    reach(page, page.get_by_label("Files"))
    page.get_by_label("Files").set_input_files([*files, named, DEMO / "study.json"])
    press(page, "button", "Create study")

    page.get_by_role("heading", name="Preview of the import").wait_for()
    reach(page, page.locator("summary", has_text="How ratings.csv is read"), most=200)
    page.keyboard.press("Enter")
    reach(page, page.locator("summary:visible", has_text="further fields").first)
    page.keyboard.press("Enter")
    reach(page, page.get_by_label("ratings: column of rater", exact=True))
    page.keyboard.type("who")
    press(page, "button", "Look again")
    page.get_by_role("columnheader", name="who ratings: rater").wait_for()
    button = page.get_by_role("button", name="Import").last
    button.focus()
    page.keyboard.press("Enter")

    page.get_by_text("Waiting for a worker").wait_for()
    assert run_next().state == "done"
    if scripts:
        page.wait_for_url("**/studies/by-keyboard/**")
    else:
        press(page, "link", "Look again")
        press(page, "link", "Open the study")
    page.get_by_role("heading", name="Made by keyboard").wait_for()
    assert page.get_by_text("3,456").count()
    assert page.get_by_text("8 human raters").count()
    assert Study.objects.get().simulated


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
