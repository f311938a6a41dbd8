"""What a browser with an empty cache transfers to show a rating page."""

from typing import NamedTuple

from benchmarks.findings_at_size import CHROMIUM, FLAGS
from benchmarks.peers.tool import Rater, item_in

SETTLED = 3000
"""Milliseconds after the page was loaded, for what its scripts fetch."""


class Weight(NamedTuple):
    """Bytes transferred, requests sent to the server, and hosts elsewhere that were asked."""

    kilobytes: float
    requests: int
    elsewhere: tuple[str, ...]


def weight_of(rater: Rater, port: int) -> Weight:
    """Open the rating page of somebody who has entered."""
    from playwright.sync_api import sync_playwright

    address, cookies = rater.page()
    site = f"http://127.0.0.1:{port}"
    asked: list[str] = []
    received: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies(
            [{"name": name, "value": value, "url": site} for name, value in cookies.items()]
        )
        page = context.new_page()
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.on(
            "Network.loadingFinished", lambda told: received.append(told["encodedDataLength"])
        )
        page.on("request", lambda request: asked.append(request.url))
        page.goto(site + address, wait_until="load")
        page.wait_for_timeout(SETTLED)
        if item_in(page.inner_text("body")) < 0:
            raise ValueError(f"no item is shown on {address.partition('?')[0]}")
        browser.close()
    outside = [each for each in asked if each.startswith("http") and not each.startswith(site)]
    hosts = tuple(sorted({each.split("/")[2] for each in outside}))
    return Weight(sum(received) / 1000, len(asked) - len(outside), hosts)
