"""How soon a browser shows the findings of a large study, how steadily, and with how many bytes.

    python -m benchmarks.findings_at_size [--segments 5000] [--metrics 20] [--keep FOLDER]

Imports a simulated study (10 systems, 3 ratings an output) as anybody would, starts `manage.py
serve`, and opens Findings in Chromium three times, each time with an empty cache: cold, when no
report is stored; once all answers are there; and on a server that has just started and finds them
stored. "paint" is the first contentful paint, "picture" when the first picture of a card is there,
"shift" the cumulative layout shift within two seconds, "weight" all that was transferred.
"""

import re
import signal
import subprocess
import sys
import time
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from benchmarks.figures import show_figure
from benchmarks.fresh_site import ROOT, SLUG, import_study, run_step, start_django, steps_over
from benchmarks.report_pages import write_study

CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
SECONDS_FOR_REPORTS = 900
WATCH = """window.shifted = 0; new PerformanceObserver(list => list.getEntries().forEach(
  each => { window.shifted += each.value; })).observe({type: "layout-shift", buffered: true});"""
SEEN = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime / 1000,
  picture: Math.min(...performance.getEntriesByType("resource")
    .filter(each => each.name.includes(".svg?")).map(each => each.responseEnd)) / 1000,
  shift: window.shifted })"""


def prepare(segments: int, metrics: int) -> None:
    """Make the database and import the study."""
    from metrics.models import Metric

    import_study(lambda folder: write_study(folder, segments, metrics, 1))
    for number, metric in enumerate(Metric.objects.order_by("name")):
        metric.orientation = "lower" if number % 2 else "higher"
        metric.save()


@contextmanager
def served() -> Iterator[str]:
    """Serve the database; give the link that signs in."""
    command = [sys.executable, "manage.py", "serve", "--no-demo", "--port", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(r"Sign in once as .*?(http\S+)", line):
                yield found[1]
                break
        else:
            raise SystemExit("the server does not start")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def signed_in(browser: Any, link: str) -> Any:
    """Return the cookies of somebody who is signed in, and has no page yet."""
    context = browser.new_context()
    form = context.request.get(link).text()
    [token] = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form)[:1]
    context.request.post(link, form={"csrfmiddlewaretoken": token}, max_redirects=0)
    return context.storage_state()


def measure(browser: Any, site: str, cookies: Any, name: str) -> None:
    """Open Findings as somebody who has no file of it yet, and print what the browser saw."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, storage_state=cookies)
    page = context.new_page()
    page.add_init_script(WATCH)
    weight: list[float] = []
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda told: weight.append(told["encodedDataLength"]))
    page.goto(f"{site}/studies/{SLUG}/", wait_until="load")
    requests, transferred = len(weight), sum(weight)
    page.wait_for_timeout(2000)
    seen = page.evaluate(SEEN)
    show_figure(f"findings_at_size.{name}.paint", seen["paint"], "s")
    # Nothing is pictured as long as every answer is being computed.
    if seen["picture"] not in (None, inf):
        show_figure(f"findings_at_size.{name}.picture", seen["picture"], "s")
    show_figure(f"findings_at_size.{name}.shift", seen["shift"], "of the window")
    show_figure(f"findings_at_size.{name}.weight", transferred / 1000, "KB")
    show_figure(f"findings_at_size.{name}.requests", requests, "requests")
    if name == "cold":
        begun = time.perf_counter()
        while page.locator(".finding[hx-get]").count():
            if time.perf_counter() - begun > SECONDS_FOR_REPORTS:
                raise SystemExit("not all answers were computed")
            page.wait_for_timeout(500)
        show_figure(f"findings_at_size.{name}.all_answers", time.perf_counter() - begun, "s")
    context.close()


def browse() -> None:
    """Open Findings when nothing is stored, once it is, and after the server was restarted."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with served() as link:
            site, cookies = link.partition("/sign-in")[0], signed_in(browser, link)
            measure(browser, site, cookies, "cold")
            measure(browser, site, cookies, "again")
        with served() as link:
            measure(browser, link.partition("/sign-in")[0], cookies, "restarted")
        browser.close()


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=5000)
    parser.add_argument("--metrics", type=int, default=20)
    parser.add_argument("--keep", help="folder of a database to make, or to use again")
    parser.add_argument("--of-process", default="", help=SUPPRESS)
    options = parser.parse_args()
    if options.of_process == "prepare":
        start_django()
        prepare(options.segments, options.metrics)
    elif options.of_process:
        browse()
    else:
        for data, step in steps_over(options.keep, ("findings",)):
            print(f"-- {step}", flush=True)
            run_step(data, "findings_at_size", "--of-process", step)
