"""On a phone and by keyboard alone, questions are answered and the records follow."""

import pytest
from django.urls import reverse

from tests.fixtures.accessibility import assert_usable
from tests.fixtures.study_files import RATINGS, TABLES, write_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STATUS = [[*RATINGS[0], "status"], [*RATINGS[1], "rejected"], *([*r, "ok"] for r in RATINGS[2:])]


def test_a_question_is_answered_by_keyboard_and_records_follow(client, open_as, study, tmp_path):
    folder = write_files(tmp_path, TABLES | {"ratings.csv": STATUS})
    page = open_as(client, reverse("study-import", args=["small"]), width=390)
    page.get_by_label("Files").set_input_files(sorted(folder.iterdir()))
    page.get_by_role("button", name="Upload").click()
    page.get_by_text("To be imported: 31 ratings").wait_for()
    group = page.get_by_role("group", name="1 of 32 ratings: 1 row")
    group.get_by_role("radio", name="Leave these ratings out").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("To be imported: 32 ratings").wait_for()
    assert page.get_by_role("radio", name="Keep them: they count").is_checked()
    page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth")
    assert page.locator("textarea.code").first.evaluate(
        "box => getComputedStyle(box).fontFamily.includes('mono')"
    )
    assert_usable(page)
