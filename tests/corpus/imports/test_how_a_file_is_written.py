"""What was found out of how a file is written is shown on the page, and can be corrected."""

import pytest

from tests.fixtures.html_forms import fields_of
from tests.fixtures.import_pages import done

pytestmark = pytest.mark.django_db
ROWS = [[f"s{n}", f"a text of some words, the {n}."] for n in range(1, 6)]


def lines(*rows, between=";"):
    return "".join(between.join(row) + "\n" for row in rows)


def columns(page):
    """Return the names of the columns of the first file, as the page has them."""
    table = page.text.partition("data-columns")[2].partition("</thead>")[0]
    return [part.partition("</label>")[0] for part in table.split('">')[1:] if "</label>" in part]


def said(page, name):
    return fields_of(page.text, "layout")[f"file-0-{name}"]


def test_a_comment_that_was_found_is_shown_and_can_be_taken_for_rows(client, pages):
    text = "# 5 texts of 2024\n" + lines(["segment", "source"], *ROWS)
    address, page = pages.upload({"segments.csv": text})
    assert said(page, "comment") == ["#"]
    assert columns(page) == ["segment", "source"]
    page = pages.look(address, page, {"file-0-comment": ""})
    assert said(page, "comment") == [""]
    assert columns(page) != ["segment", "source"]
    page = pages.look(address, client.get(address), {"file-0-comment": "#"})
    assert columns(page) == ["segment", "source"]
    done(pages.press(address, page))
