"""A campaign that is opened in a browser, for all tests of the rating page."""

import pytest
from django.utils import timezone

from annotation.models import Annotator
from annotation.people.invitations import new_links
from tests.fixtures.campaigns import make_campaign, make_study


@pytest.fixture
def open_campaign(chromium_page, live_server):
    """Open a campaign as its first annotator; what the browser complains of fails the test."""
    complaints = []

    def open_page(protocol: str, config=None, read: bool = True, systems: int = 2, **options):
        number = Annotator.objects.count()
        study = make_study(3, systems, slug=f"small-{number}")
        _, [annotator] = make_campaign(study, protocol, annotators=1, config=config or {})
        if read:
            Annotator.objects.update(guidelines_read_at=timezone.now())
        page = chromium_page(**options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{live_server.url}/join/{new_links([annotator])[annotator.pk]}/")
        return page, annotator

    yield open_page
    expected = ("400", "403", "409", "422", "507", "ERR_INTERNET_DISCONNECTED")
    assert [text for text in complaints if not any(each in text for each in expected)] == []
