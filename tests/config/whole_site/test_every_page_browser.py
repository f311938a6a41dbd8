"""Every page of the site in a browser: what axe says of it, and that it fits; by night in dark.

Pages are found by the list of all addresses, so that a new one is looked at by itself.
"""

import os
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from analysis.reports.catalogue import KINDS
from annotation.views.guard import COOKIE
from config.mail import Mail
from tests.fixtures.accessibility import PHONE, barriers
from tests.fixtures.every_page import STUDY, EveryPage, every_route, fill_site
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import DEMO, filled, imported

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE = {"width": 1440, "height": 900}
TABLET = {"width": 1024, "height": 768}
EVERYTHING = {"rules": {"target-size": {"enabled": True}}}
OF_COLOURS_AND_SIZES = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "target-size", "link-in-text-block"]}
}
ELSEWHERE = {
    *("rate-feedback", "export-download", "report-waiting", "open-id", "open-id-back"),
    *("mfa_view_recovery_codes", "mfa_deactivate_totp", "mfa_remove_webauthn"),
}
"""After a practice item, after an export, while a report is computed, where a provider signs people
in, with a second factor: other tests look at them."""
PAGES = 85
"""At least so many: the list must not shrink unseen."""
PERCENT_ALONE = "document.body.innerText.match(/.{0,30}\\d %.{0,10}/g) ?? []"
"""Numbers that the end of a line may part from their percent sign."""
SKIP_LINK = """() => {
    const first = document.querySelector("body a[href], body button, body input, body summary");
    const target = first && document.querySelector(first.getAttribute("href"));
    return first?.className === "skip" && target?.tabIndex === -1;
}"""


@pytest.fixture
def site(tmp_path_factory, settings):
    settings.MAIL = Mail("smtp", "localhost", 25, "", "", "a@example.org", "https://example.org")
    folder = tmp_path_factory.mktemp("site")
    with imported(DEMO, stored=True), filled("every page", lambda: fill_site(folder)):
        yield EveryPage()


class Browser:
    """One window for each person; what it complains of is collected."""

    def __init__(self, open_page: Any, server: str) -> None:
        self.open_page, self.server = open_page, server
        self.windows: dict[int, Any] = {}
        self.complaints: list[str] = []

    def window(self, client: Client) -> Any:
        if id(client) not in self.windows:
            page = self.open_page(**WIDE)
            for name in (settings.SESSION_COOKIE_NAME, COOKIE):
                if name in client.cookies:
                    value = client.cookies[name].value
                    cookie = {"name": name, "value": value, "url": self.server}
                    page.context.add_cookies([cookie])
            page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
            page.on("console", lambda message: self.hear(page.url, message))
            self.windows[id(client)] = page
        return self.windows[id(client)]

    def open(self, page: Any, url: str, answer: Any) -> None:
        """Open a page that the site has answered already; it is not computed twice."""

        def give(route: Any) -> None:
            headers = {k: v for k, v in answer.headers.items() if k != "Content-Length"}
            route.fulfill(status=answer.status_code, headers=headers, body=answer.content)

        page.route(lambda asked: asked == url, give, times=1)
        page.goto(url)

    def hear(self, url: str, message: Any) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.complaints.append(f"{url}: {message.text}")


def is_page(answer: Any) -> bool:
    """Whether an answer is a whole page, not a part of one, a file or a way elsewhere."""
    is_html = answer.headers.get("Content-Type", "").startswith("text/html")
    is_saved = answer.headers.get("Content-Disposition", "").startswith("attachment")
    return answer.status_code < 300 and is_html and not is_saved and b"<html" in answer.content


def found_by_axe(page: Any, options: dict[str, Any], kind: str) -> list[str]:
    return [
        f"{kind}, {each['id']}: {node['html'][:160]}"
        for each in barriers(page, **options)
        for node in each["nodes"]
    ]


def too_wide(page: Any) -> list[str]:
    width = page.viewport_size["width"]
    needed = page.evaluate("document.documentElement.scrollWidth")
    return [f"{needed} px wide in a window of {width}"] if needed > width else []


def looked_at(page: Any, name: str, *, in_dark: bool) -> list[str]:
    """What is wrong with the page that is open, in three widths, and in both schemes if asked."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(WIDE)
    picture(page, name, "1440-light")
    wrong = found_by_axe(page, EVERYTHING, "light") + page.evaluate(PERCENT_ALONE)
    if not page.evaluate(SKIP_LINK):
        wrong.append("the first thing with the focus is no way to the content")
    page.set_viewport_size(TABLET)
    wrong += too_wide(page)
    picture(page, name, "1024-light")
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    wrong += too_wide(page)
    picture(page, name, "390-dark")
    if not in_dark:
        return wrong
    # At the end of a page the bar of a rating page covers nothing.
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    return wrong + found_by_axe(page, OF_COLOURS_AND_SIZES, "phone, dark")


def picture(page: Any, name: str, how: str) -> None:
    """Keep a picture where somebody wants to look at it."""
    if folder := os.environ.get("TOUCHSTONE_PICTURES"):
        page.screenshot(path=f"{folder}/{name}-{how}.png", full_page=True)


@pytest.mark.parametrize("in_dark", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_no_page_has_a_barrier(site, chromium_page, live_server, in_dark):
    browser = Browser(chromium_page, live_server.url)
    looked: dict[str, list[str]] = {}
    unseen: list[str] = []
    for name, pattern in at_least_one(every_route()):
        client = site.who(name)
        statuses = set()
        for address in site.addresses(name, pattern):
            answer = client.get(address)
            statuses.add(answer.status_code)
            if is_page(answer):
                page = browser.window(client)
                browser.open(page, live_server.url + address, answer)
                looked[address] = looked_at(page, name, in_dark=in_dark)
                break
        if statuses == {404} and name not in ELSEWHERE:
            unseen.append(name)
    assert unseen == []
    assert {url: wrong for url, wrong in looked.items() if wrong} == {}
    assert browser.complaints == []
    assert len(looked) >= PAGES
    assert {f"/studies/{STUDY}/{kind}/" for kind in KINDS} <= set(looked)
