"""Finding one's way while rating: what is open, the last answer, sections, a break."""

import pytest

from annotation.models import Rating
from annotation.views.showing import sections
from tests.fixtures.accessibility import PHONE, assert_usable
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.rating_pages import FULL, entered, fields, open_screen, submit


def test_sections_are_of_nearly_equal_length_and_end_with_the_work():
    assert sections(0, 4) == (0,)
    assert sections(3, 4) == (75,)
    assert sections(0, 0) == (0,)
    assert len(sections(0, 9)) == 1
    assert len(sections(0, 50)) == len(sections(0, 5000)) == 10
    for total in range(1, 200):
        count = len(sections(0, total))
        for done in range(total + 1):
            parts = sections(done, total)
            full, begun = parts.count(100), [each for each in parts if 0 < each < 100]
            assert parts == tuple(sorted(parts, reverse=True))
            assert len(begun) <= 1
            assert abs(full - count * done / total) <= 1
        assert set(sections(total, total)) == {100}


@pytest.mark.django_db
def test_the_last_answer_is_one_step_away_and_both_are_kept():
    _, [annotator] = make_campaign(make_study(2, 3), annotators=1)
    client = entered(annotator)
    address = f"/rate/{annotator.public_id}/"
    form = open_screen(client, annotator)
    assert f"{address}last/" not in client.get(address).text
    assert client.get(f"{address}last/").status_code == 404
    first = submit(client, annotator, form, **FULL).text
    assert f'href="{address}last/"' in first
    second = fields(first)
    submit(client, annotator, second, **FULL)
    page = client.get(f"{address}last/", follow=True)
    again = fields(page.text)
    assert again["assignment"] == second["assignment"]
    assert again["revision"] == "2"
    assert "data-last" not in page.text
    submit(client, annotator, again, **(FULL | {"style": "11"}))
    stored = Rating.objects.filter(
        aspect="style", submission__item__assignments__public_id=second["assignment"]
    )
    assert list(stored.order_by("pk").values_list("value", flat=True)) == [10, 11]
    # Of an earlier screen that is corrected, the correction is the last answer.
    earlier = fields(client.get(f"{address}item/{form['assignment']}/").text)
    submit(client, annotator, earlier, **FULL)
    assert (
        fields(client.get(f"{address}last/", follow=True).text)["assignment"] == form["assignment"]
    )


@pytest.mark.django_db
def test_nobody_is_led_to_the_last_answer_of_somebody_else():
    _, [one, other] = make_campaign(make_study(2, 1), annotators=2)
    client = entered(one)
    submit(client, one, open_screen(client, one), **FULL)
    assert client.get(f"/rate/{other.public_id}/last/").status_code == 403
    assert entered(other).get(f"/rate/{other.public_id}/last/").status_code == 404


@pytest.mark.django_db
def test_the_work_is_shown_in_sections_of_a_list_and_as_a_whole_in_a_queue():
    study = make_study(6, 3)
    _, [listed] = make_campaign(study, annotators=1)
    client = entered(listed)
    form = open_screen(client, listed)
    for _ in range(7):
        html = submit(client, listed, form, **FULL).text
        form = fields(html)
    assert html.count('aria-hidden="true"></progress>') == 3
    assert 'aria-valuenow="38"' in html
    assert '<progress max="100" value="100"' in html
    _, [queued] = make_campaign(study, annotators=1, design="shared_queue")
    page = entered(queued).get(f"/rate/{queued.public_id}/").text
    assert page.count('aria-hidden="true"></progress>') == 1


browser = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class TestInTheBrowser:
    """By keyboard alone."""

    pytestmark = browser

    def test_how_many_are_answered_is_told_and_n_leads_to_the_next_open_one(self, open_campaign):
        page, _ = open_campaign("likert", **PHONE)
        told = page.locator("[data-next]")
        assert told.inner_text().startswith("0 of 4 answered")
        page.keyboard.press("2")
        assert told.inner_text().startswith("1 of 4 answered")
        page.locator("[name=answer-0-overall]").first.focus()
        page.keyboard.press("3")
        assert page.evaluate("document.activeElement.name") == "answer-0-content"
        page.keyboard.press("n")
        assert page.evaluate("document.activeElement.name") == "answer-0-fluency"
        # After the last open question comes the first.
        page.keyboard.press("n")
        assert page.evaluate("document.activeElement.name") == "answer-0-content"
        told.click()
        assert page.evaluate("document.activeElement.name") in (
            "answer-0-content",
            "answer-0-fluency",
        )
        page.keyboard.press("3")
        page.keyboard.press("3")
        assert told.inner_text().startswith("4 of 4 answered")
        assert told.is_disabled()

    def test_a_break_is_proposed_after_25_minutes_without_a_pause(self, open_campaign):
        page, _ = open_campaign("likert")
        page.clock.install()
        page.reload()
        proposal = page.locator("#break")
        for _ in range(6):
            page.clock.fast_forward(4 * 60_000)
            page.reload()
            assert proposal.is_hidden()
        page.clock.fast_forward(2 * 60_000)
        page.reload()
        proposal.wait_for()
        assert_usable(page)
        proposal.get_by_role("button").click()
        assert proposal.is_hidden()
        assert page.evaluate("document.activeElement.type") == "radio"
        page.clock.fast_forward(4 * 60_000)
        page.reload()
        assert proposal.is_hidden()
