"""The rating pages through HTTP: links, consent, screens, drafts, corrections, blindness."""

import uuid

import pytest
from django.test import Client

from annotation.models import Annotator, Draft, Rating, Submission
from annotation.people.invitations import new_links
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.rating_pages import FULL, entered, fields, open_screen, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def annotator() -> Annotator:
    return make_campaign(make_study())[1][0]


def test_a_personal_link_leads_to_guidelines_then_to_the_first_item(annotator):
    client = Client()
    link = f"/join/{new_links([annotator])[annotator.pk]}/"
    page = client.get(link, follow=True)
    assert page.redirect_chain[-1][0].endswith("/guidelines/")
    page = client.post(f"/rate/{annotator.public_id}/guidelines/read/", follow=True)
    assert "annotation/rate.html" in [template.name for template in page.templates]
    assert page.headers["Referrer-Policy"] == "same-origin"


def test_the_token_is_stored_nowhere_and_in_no_page(annotator):
    token = new_links([annotator])[annotator.pk]
    client = Client()
    page = client.get(f"/join/{token}/", follow=True)
    assert token not in page.content.decode()
    assert token not in page.redirect_chain[-1][0]
    annotator.refresh_from_db()
    assert token not in str(vars(annotator))


def test_consent_is_asked_before_anything_is_shown():
    _, [annotator] = make_campaign(
        make_study(), annotators=1, consent="You take part *freely*.", questions=["First language"]
    )
    client = entered(annotator)
    page = client.get(f"/rate/{annotator.public_id}/", follow=True)
    assert b"<em>freely</em>" in page.content
    assert client.post(f"/rate/{annotator.public_id}/consent/", {}).status_code == 400
    data = {"consent": "yes", "about-0": "Welsh"}
    client.post(f"/rate/{annotator.public_id}/consent/", data)
    annotator.refresh_from_db()
    assert annotator.about == {"First language": "Welsh"}
    assert annotator.consented_at is not None


def test_no_browser_reaches_the_pages_of_another_annotator():
    first, second = make_campaign(make_study())[1]
    client, other = entered(first), entered(second)
    form = open_screen(other, second)
    assert client.get(f"/rate/{second.public_id}/").status_code == 403
    item = f"/rate/{first.public_id}/item/{form['assignment']}/"
    assert client.get(item).status_code == 404
    assert submit(client, first, form, **FULL).status_code == 404
    draft = client.post(f"/rate/{first.public_id}/draft/", form)
    assert draft.status_code == 404


def test_a_submission_gets_the_next_screen_in_its_reply(annotator):
    client = entered(annotator)
    form = open_screen(client, annotator)
    reply = submit(client, annotator, form, **FULL)
    assert reply.status_code == 200
    following = fields(reply.content.decode())
    assert following["assignment"] != form["assignment"]
    assert "<html" not in reply.content.decode()


@pytest.mark.parametrize("fetched", [True, False])
def test_a_double_click_a_retry_and_two_tabs_give_one_submission(annotator, fetched):
    client = entered(annotator)
    form = open_screen(client, annotator)
    for _ in range(3):
        assert submit(client, annotator, form, fetched, **FULL).status_code in (200, 302)
    other_tab = form | {"submission": str(uuid.uuid4())}
    reply = submit(client, annotator, other_tab, fetched, **FULL)
    assert reply.status_code == 409
    assert "in another tab" in reply.content.decode()
    assert Submission.objects.count() == 1


def test_a_stale_tab_keeps_what_was_typed_in_it(annotator):
    client = entered(annotator)
    form = open_screen(client, annotator)
    submit(client, annotator, form, **FULL)
    stale = form | {"submission": str(uuid.uuid4()), "comment": "typed elsewhere"}
    reply = submit(client, annotator, stale, **(FULL | {"style": "77"}))
    assert 'value="77"' in reply.content.decode()
    assert "typed elsewhere" in reply.content.decode()


def test_what_is_missing_is_said_beside_its_question(annotator):
    client = entered(annotator)
    form = open_screen(client, annotator)
    reply = submit(client, annotator, form, style="101", content="20")
    html = reply.content.decode()
    assert reply.status_code == 422
    assert "Style: 101 is not from 0 to 100" in html
    assert "Fluency: not answered yet" in html
    assert 'value="20"' in html
    assert not Submission.objects.exists()


def test_a_draft_is_resumed_on_another_device_and_conflicts_are_shown(annotator):
    desk, phone = entered(annotator), Client()
    desk_form = open_screen(desk, annotator)
    phone.cookies = desk.cookies.copy()
    address = f"/rate/{annotator.public_id}/draft/"
    saved = desk.post(address, desk_form | {"answer-0-style": "64"}).json()
    assert saved == {"version": 1}
    html = phone.get(f"/rate/{annotator.public_id}/").content.decode()
    assert 'value="64"' in html
    phone_form = fields(html)
    assert phone.post(address, phone_form | {"answer-0-style": "65"}).json() == {"version": 2}
    conflict = desk.post(address, desk_form | {"answer-0-style": "1", "version": "1"})
    assert conflict.status_code == 409
    assert conflict.json()["draft"]["answers"] == {"0": {"style": "65"}}
    assert Draft.objects.get().version == 2


def test_an_earlier_answer_can_be_corrected(annotator):
    client = entered(annotator)
    form = open_screen(client, annotator)
    submit(client, annotator, form, **FULL)
    listed = client.get(f"/rate/{annotator.public_id}/done/").content.decode()
    item = f"/rate/{annotator.public_id}/item/{form['assignment']}/"
    assert item in listed
    html = client.get(item).content.decode()
    assert 'value="20"' in html
    again = fields(html)
    assert again["revision"] == "2"
    submit(client, annotator, again, **(FULL | {"content": "25"}))
    assert sorted(Rating.objects.filter(aspect="content").values_list("value", flat=True)) == [
        20,
        25,
    ]


def test_cannot_judge_is_saved_with_its_reason(annotator):
    client = entered(annotator)
    form = open_screen(client, annotator)
    submit(client, annotator, form | {"action": "cannot", "reason": "two sentences"})
    assert Submission.objects.get().reason == "two sentences"


def test_texts_of_any_script_are_shown_as_they_are_and_turned_by_their_own_direction():
    study = make_study(1, 1, copied="s0")
    study.language = "he"
    study.save()
    _, [annotator] = make_campaign(study, annotators=1)
    html = entered(annotator).get(f"/rate/{annotator.public_id}/").content.decode()
    assert '<html lang="en">' in html
    assert html.count('class="text" lang="he" dir="auto"') == 2


def test_owner_texts_cannot_bring_scripts_into_the_page():
    _, [annotator] = make_campaign(
        make_study(),
        annotators=1,
        guidelines="<script>alert(1)</script> [x](javascript:alert(1)) **bold**",
    )
    html = entered(annotator).get(f"/rate/{annotator.public_id}/guidelines/").content.decode()
    assert "<script>" not in html
    assert 'href="javascript' not in html
    assert "<strong>bold</strong>" in html


WHY = {"comment": "A comment.", "reason": "The source is cut off."}


def test_a_reason_typed_beside_answers_is_kept_with_them(annotator):
    client = entered(annotator)
    form = open_screen(client, annotator)
    submit(client, annotator, form | WHY, **FULL)
    stored = Submission.objects.get()
    assert (stored.comment, stored.reason) == ("A comment.\nThe source is cut off.", "")
    assert stored.ratings.count() == 3
    again = client.get(f"/rate/{annotator.public_id}/item/{form['assignment']}/").text
    assert again.count("The source is cut off.") == 1
    long = {"comment": "x" * 10_000, "reason": "The end."}
    submit(client, annotator, fields(again) | long, **FULL)
    kept = Submission.objects.get(revision=2).comment
    assert (len(kept), kept[-10:]) == (10_000, "x\nThe end.")
