"""On the mapping page a range of columns is ticked with Shift, by mouse and by keyboard."""

import pytest
from django.urls import reverse

from tests.fixtures.accessibility import assert_usable
from tests.fixtures.import_shapes import UNNAMED
from tests.fixtures.study_files import write_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(client, open_as, study, tmp_path):
    path = write_files(tmp_path, UNNAMED) / "data.csv"
    page = open_as(client, reverse("study-import", args=["small"]))
    page.get_by_label("Files").set_input_files(path)
    page.get_by_role("button", name="Upload").click()
    page.get_by_text("Please check how this file is read").wait_for()
    return page


def ticked(page):
    return page.locator("[data-columns] input:checked").count()


def test_a_range_of_columns_is_ticked_and_said_to_be_something(page):
    assert_usable(page)
    page.get_by_role("checkbox", name="c2", exact=True).click()
    page.get_by_role("checkbox", name="c4", exact=True).click(modifiers=["Shift"])
    assert ticked(page) == 3
    page.get_by_role("checkbox", name="c3", exact=True).click()
    page.get_by_role("checkbox", name="c4", exact=True).click(modifiers=["Shift"])
    assert ticked(page) == 1, "the range follows the box that was clicked"
    page.get_by_label("The ticked columns are").first.select_option(label="not read")
    page.get_by_role("button", name="Look again").first.click()
    page.get_by_role("columnheader", name="c2 not read").wait_for()
    assert ticked(page) == 0


def test_columns_are_ticked_by_keyboard(page):
    page.get_by_role("checkbox", name="c1", exact=True).focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert ticked(page) == 2


def test_enter_in_a_field_looks_again_and_starts_nothing(page):
    page.get_by_label("or all columns that are named").first.fill("nothing{name}")
    page.keyboard.press("Enter")
    page.get_by_text("No column is named so.").wait_for()
