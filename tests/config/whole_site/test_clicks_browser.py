"""One click leads from the printed link to what people come for."""

import pytest
from django.contrib.auth.models import User

from analysis.findings.ahead import compute_ahead
from config.accounts.signing_in import one_time_path
from corpus.jobs.worker import run_next
from corpus.models import Study
from tests.fixtures.report_pages import DEMO, imported


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_from_the_printed_link_to_which_metric_and_how_sure_is_one_click(open_as):
    with imported(DEMO):
        compute_ahead(Study.objects.get())
        while (job := run_next()) is not None:
            assert job.state == "done", job.error
        page = open_as(None, one_time_path(User.objects.create_superuser("admin")))
        page.get_by_role("button", name="Sign in", exact=True).click()
        card = page.get_by_role("region", name="Which metric can stand in for human raters?")
        answer = card.locator(".answer").inner_text()
        assert "formal-share correlates with human scores on style" in answer
        assert "95\N{NO-BREAK SPACE}% interval 0.63 to 0.75, noise ceiling 0.97" in answer
        assert card.locator("img").evaluate(
            "image => image.decode().then(() => image.naturalWidth)"
        )
