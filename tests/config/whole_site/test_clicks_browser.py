"""How many clicks lead to what people come for; no page is met twice on the way."""

from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User

from analysis.findings.ahead import compute_ahead
from config.accounts.signing_in import one_time_path
from corpus.jobs.worker import run_next
from corpus.models import Study
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.report_pages import DEMO, imported
from tests.fixtures.study_files import write_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LINES = range(1, 9)
WHERE = [
    " ".join(["at", "the", "old", "bridge", "by", "the", "river", "tonight"][:n]) for n in LINES
]
FILES = {
    "source.txt": [f"gonna be there {where}" for where in WHERE],
    "reference.txt": [f"I will be there {where}." for where in WHERE],
    "alpha.txt": [f"I will arrive {where}." for where in WHERE],
    "beta.txt": [f"gonna be {where}" for where in WHERE],
}
RATINGS = [
    ["segment_id", "system", "rater", "aspect", "score"],
    *(
        [str(line), system, rater, "content", str(better + line + taste)]
        for line in LINES
        for system, better in (("alpha", 80), ("beta", 20))
        for rater, taste in (("r1", 0), ("r2", 3))
    ),
]


class Hand:
    """A mouse that counts what it presses, and the pages to which that leads."""

    def __init__(self, page):
        self.page, self.clicks, self.pages = page, 0, [urlsplit(page.url).path]
        page.on("framenavigated", self._arrived)

    def _arrived(self, frame):
        path = urlsplit(frame.url).path
        if frame == self.page.main_frame and path != self.pages[-1]:
            self.pages.append(path)

    def click(self, role, name):
        self.clicks += 1
        self.page.get_by_role(role, name=name, exact=True).first.click()

    def type(self, text):
        """Type into the field that has the focus when the page opens."""
        self.page.locator("input:focus").wait_for()
        self.page.keyboard.type(text)

    def choose_files(self, paths):
        self.clicks += 1
        with self.page.expect_file_chooser() as chooser:
            self.page.locator("input[type=file]").click()
        chooser.value.set_files(paths)

    def assert_read_no_page_twice(self):
        assert len(set(self.pages)) == len(self.pages), self.pages


def run_jobs():
    while (job := run_next()) is not None:
        assert job.state == "done", job.error


def test_from_the_printed_link_to_which_metric_and_how_sure_is_one_click(open_as, live_server):
    with imported(DEMO):
        compute_ahead(Study.objects.get())
        run_jobs()
        hand = Hand(open_as(None, one_time_path(User.objects.create_superuser("admin"))))
        hand.click("button", "Sign in")
        card = hand.page.get_by_role("region", name="Which metric can stand in for human raters?")
        answer = card.locator(".answer").inner_text()
        assert "correlates best with human scores on content" in answer
        assert "95\N{NO-BREAK SPACE}% interval 0.66 to 0.76, noise ceiling 0.97" in answer
        assert card.locator("img").evaluate(
            "image => image.decode().then(() => image.naturalWidth)"
        )
        assert hand.clicks == 1


def test_from_five_files_to_their_findings_are_four_clicks(open_as, tmp_path):
    texts = {name: "".join(f"{line}\n" for line in lines) for name, lines in FILES.items()}
    folder = write_files(tmp_path / "files", {**texts, "ratings.csv": RATINGS})
    hand = Hand(open_as(signed_in("ada"), "/"))
    hand.click("link", "New study")
    hand.type("My first study")
    hand.choose_files(sorted(folder.iterdir()))
    hand.click("button", "Create study")
    hand.click("button", "Import")
    hand.page.get_by_text("Waiting for a worker").wait_for()
    run_jobs()
    hand.page.wait_for_url("**/studies/my-first-study/")
    run_jobs()
    systems = hand.page.get_by_role("region", name="Which systems are better?")
    systems.get_by_text("alpha is rated highest on content").wait_for()
    trust = hand.page.get_by_role("region", name="Can these ratings be trusted?")
    trust.get_by_text("Agreement is reliable on content").wait_for()
    assert hand.clicks == 4
    hand.assert_read_no_page_twice()
