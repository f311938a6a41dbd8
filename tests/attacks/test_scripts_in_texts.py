"""A study and campaigns every word of which is a script, read page by page in a real browser."""

import itertools
import re
from collections import Counter

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from playwright.sync_api import Error

from annotation.launch.launching import launch
from annotation.models import Campaign, Contact
from annotation.people.invitations import new_links
from annotation.protocols.catalogue import LIVE
from corpus.jobs.worker import run_next
from corpus.models import Study
from tests.fixtures.campaigns import send
from tests.fixtures.study_files import write_files

PAGES = 150
SAME_KIND = 2
START = ("/", "/studies/hostile/", "/admin/", "/jobs/", "/account/")
SCRIPTS = [
    "<script>attacked()</script>",
    "\"'><script>attacked()</script>",
    "<img src=x onerror=attacked()>",
    '"><svg onload=attacked()>',
    '" autofocus onfocus="attacked()" onpointerover="attacked()',
    "</title></textarea></script><script>attacked()</script>",
    "[here](javascript:attacked()) <javascript:attacked()>",
    "<a href=javascript:attacked()>here</a>",
    '<iframe srcdoc="<script>parent.attacked()</script>"></iframe>',
    "<details open ontoggle=attacked()><summary>here</summary></details>",
]
ALL = "\n\n".join(SCRIPTS)
SYSTEMS = SCRIPTS[:4]


def words(place):
    """Return a text that differs from place to place and is a script in each."""
    return f"{SCRIPTS[place % len(SCRIPTS)]} {place}"


def files():
    """Return the files of the study."""
    segments = [words(place) for place in range(len(SCRIPTS))]
    texts = list(itertools.product(segments, SYSTEMS))
    ways = itertools.cycle([[SCRIPTS[0], SCRIPTS[3]], [SCRIPTS[3], SCRIPTS[0]]])
    aspects, metrics, raters = SCRIPTS[2:6], SCRIPTS[:3], SCRIPTS[4:7]
    return {
        "study.json": {
            "title": SCRIPTS[1], "description": ALL, "language": "en",
            "systems": [
                {"system": system, "model": SCRIPTS[0], "group": ALL} for system in SYSTEMS
            ],
        },
        "segments.csv": [
            ["segment_id", "source", "source_style", "target_style", "reference_1", "domain"],
            *([key, words(n + 1), *next(ways), words(n + 2), words(n + 3)]
              for n, key in enumerate(segments)),
        ],
        "outputs.csv": [
            ["segment_id", "system", "output"],
            *([key, system, words(n)] for n, (key, system) in enumerate(texts)),
        ],
        "ratings.csv": [
            ["segment_id", "system", "rater", "aspect", "score", "comment"],
            *([key, system, rater, aspect, 1 + (n * len(aspect) + len(rater)) % 5, words(n)]
              for n, (key, system) in enumerate(texts) for rater in raters for aspect in aspects),
        ],
        "lexicon.csv": [
            ["word", "weight", "style", "lexicon"],
            *([f"{n}", 1 - 2 * (n % 2), SCRIPTS[3 * (n % 2)], SCRIPTS[2]] for n in range(10)),
        ],
        "metric_scores.csv": [
            ["segment_id", "system", "metric", "aspect", "compared_to", "score"],
            *([key, system, metric, aspects[0], metric, (n * len(metric)) % 7]
              for n, (key, system) in enumerate(texts) for metric in metrics),
        ],
    }  # fmt: skip


WATCH = """
window.refused = 0;
document.addEventListener("securitypolicyviolation", () => { window.refused += 1; });
"""
# What a script makes of a page if its text becomes markup, whether it runs or not.
MARKUP = """() => document.querySelectorAll(
  "[onerror], [onload], [onfocus], [ontoggle], [onpointerover], [srcdoc], [src=x],"
  + "a[href^='javascript:' i], script:not([src])").length"""
LINKS = "() => [...document.links].map((link) => link.href.split('#')[0])"


def campaigns(study):
    """Start a campaign of each protocol; return a link into each."""
    links = []
    for protocol in LIVE:
        campaign = Campaign.objects.create(
            study=study, slug=protocol.replace("_", "-"), protocol=protocol, origin="live",
            state="draft", design="balanced_overlap", ratings_per_item=2, seed=1,
            selection={"mask": {"lexicon": SCRIPTS[2]}},
            title=SCRIPTS[1], guidelines=ALL, consent=ALL, content_warning=ALL,
        )  # fmt: skip
        rater, other = launch(campaign, 2)
        Contact.objects.create(annotator=other, name=SCRIPTS[2], email="a@example.org")
        links += new_links([rater]).values()
        if protocol == "direct_assessment":
            send(other, other.assignments.earliest("pk"), comment=ALL)
    return links


class Reader:
    """Somebody who opens pages and counts what scripts do there."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        self.opened, self.found = 0, Counter()
        page.context.expose_function("attacked", lambda: self.found.update(["executed"]))
        page.context.add_init_script(WATCH)
        page.on("dialog", self.dismiss)

    def dismiss(self, dialog):
        self.found["dialogs"] += 1
        dialog.dismiss()

    def look(self):
        self.opened += 1
        self.found["refused"] += self.page.evaluate("() => window.refused || 0")
        self.found["markup"] += self.page.evaluate(MARKUP)

    def open(self, path):
        """Open a page and return the paths that it links to."""
        self.page.goto("about:blank")  # Else the page before might load itself anew meanwhile.
        try:
            answer = self.page.goto(self.address + path)
        except Error as error:
            if "Download is starting" in error.message:
                return []
            raise
        assert answer.status < 500, path
        if "html" not in answer.headers.get("content-type", ""):
            return []
        self.look()
        links = self.page.evaluate(LINKS)
        return [each.removeprefix(self.address) for each in links if self.address in each]

    def crawl(self):
        """Open what is linked from page to page, a few of each kind."""
        waiting, seen, kinds = list(START), set(START), Counter()
        while waiting and self.opened < PAGES:
            path = waiting.pop(0)
            links = self.open(path)
            if run_next():
                links += self.open(path)
            for each in links:
                kind = re.sub(r"\d+|=[^&]*", "0", each)
                if each not in seen and "/sign-out/" not in each and kinds[kind] < SAME_KIND:
                    seen.add(each)
                    kinds[kind] += 1
                    waiting.append(each)

    def rate(self, token):
        """Follow the link of an annotator as far as the first item."""
        self.open(f"/join/{token}/")
        while not self.page.locator("[name=submission]").count():
            for box in self.page.locator("main form input[type=checkbox]").all():
                box.check()
            self.page.locator("main form button.primary").first.click()
            self.page.wait_for_load_state()
            self.look()


pytestmark = [pytest.mark.slow, pytest.mark.nightly, pytest.mark.browser]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("policy", [True, False], ids=["with the policy", "without the policy"])
def test_no_text_of_a_study_runs_or_becomes_markup(
    chromium_page, live_server, client, tmp_path, policy
):
    root = User.objects.create_superuser("root")
    folder = write_files(tmp_path / "hostile", files())
    call_command("import_study", folder, study="hostile", owner="root", verbosity=0)
    links = campaigns(Study.objects.get(slug="hostile"))
    client.force_login(root)
    page = chromium_page(policy=policy)
    session = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    page.context.add_cookies([session | {"url": live_server.url}])
    reader = Reader(page, live_server.url)
    reader.crawl()
    for link in links:
        reader.rate(link)
    assert +reader.found == Counter()
    assert reader.opened > 50


def test_the_same_scripts_run_in_a_page_that_trusts(chromium_page):
    reader = Reader(chromium_page(policy=False), "")
    reader.page.set_content(ALL)
    reader.page.wait_for_timeout(1000)
    reader.look()
    assert reader.found["executed"] > 2
