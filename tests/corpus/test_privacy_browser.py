"""Pages of deletion, of an edit that met another, and of many jobs, in a real browser."""

import pytest

from annotation.people.invitations import new_links
from corpus.jobs.queue import ask_for_job
from corpus.models import Study
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.campaign_pages import filled, prepared, signed_in
from tests.fixtures.campaigns import make_campaign, make_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_the_pages_are_accessible_and_fit(open_as, live_server, width, dark):
    study = make_study()
    ada, bob = signed_in("ada", study), signed_in("bob", study)
    address = prepared(ada, study)
    opened = filled(bob, address)
    campaign, [annotator, _] = make_campaign(study, consent="Freely.")
    [token] = new_links([annotator]).values()
    user = study.memberships.get(user__username="bob").user
    for number in range(3):
        ask_for_job("export", f"export {number}", study=study, user=user, parameters={})
    page = open_as(bob, address, width=width, height=900, dark=dark)
    page.fill("[name=guidelines]", "Bob’s guidelines.")
    page.fill("[name=title]", "Bob’s pilot")
    ada.post(address, opened | {"guidelines": "Ada’s guidelines.\n\n" * 3, "annotators": "4"})
    page.click("text=Save and preview")
    assert "somebody else saved this form" in page.text_content("[role=alert]")
    assert page.input_value("[name=guidelines]") == "Bob’s guidelines."
    assert_usable(page)
    page.check("[name=take-guidelines]")
    page.click("text=Save and preview")
    page.goto(f"{live_server.url}{address}")
    assert "Ada’s guidelines." in page.input_value("[name=guidelines]")
    assert page.input_value("[name=title]") == "Bob’s pilot"

    page.goto(f"{live_server.url}/jobs/")
    page.check("[name=job] >> nth=0")
    assert_usable(page)
    page.click("text=Cancel selected jobs")
    assert "1 job cancelled" in page.text_content(".messages")

    page.goto(
        f"{live_server.url}/studies/small/campaigns/{campaign.slug}/annotators/{annotator.pk}/"
    )
    assert_usable(page)
    page.goto(f"{live_server.url}/studies/small/data/")
    assert_usable(page)
    page.click(f"[aria-label='Delete {campaign}…']")
    assert_usable(page)
    page.goto(f"{live_server.url}/join/{token}/")
    page.click("text=What is stored about you, and for how long")
    assert_usable(page)
    page.goto(f"{live_server.url}/studies/small/data/")
    page.fill("[name=name]", "small")
    page.click("text=Delete this study >> nth=-1")
    assert "Studies to be deleted" in page.text_content("main")
    assert_usable(page)
    page.get_by_role("button", name="Restore").click()
    assert Study.objects.get().deletion_asked_at is None
