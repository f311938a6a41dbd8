"""H4: scripts in every text of a study and its campaigns, read in a real browser."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Error, sync_playwright

from annotation.protocols.catalogue import LIVE
from attack.finding import Line
from attack.hostile_study import ALL, SCRIPTS
from attack.patience import SECONDS_TO_WAIT
from attack.people import manage, signed_in
from attack.site import Site, running_site
from tests.fixtures.chromium import CHROMIUM, CHROMIUM_FLAGS

PAGES = 150
SAME_KIND = 2
START = ("/", "/studies/hostile/", "/admin/", "/jobs/", "/account/")
MADE = """
from attack.hostile_study import make
make("{folder}")
"""
WATCH = """
window.refused = 0;
document.addEventListener("securitypolicyviolation", () => { window.refused += 1; });
"""
# What a payload makes of a page if its text becomes markup, whether it runs or not.
MARKUP = """() => document.querySelectorAll(
  "[onerror], [onload], [onfocus], [ontoggle], [onpointerover], [srcdoc], [src=x],"
  + "a[href^='javascript:' i], script:not([src])").length"""
LINKS = "() => [...document.links].map((link) => link.href)"


class Reader:
    """Somebody who opens pages in Chromium and counts what scripts do there."""

    def __init__(self, chromium: Any, site: Site, *, policy: bool) -> None:
        self.base = f"http://127.0.0.1:{site.port}"
        self.context = chromium.new_context(bypass_csp=not policy)
        self.opened = self.rated = self.executed = self.dialogs = self.refused = self.markup = (
            self.failed
        ) = 0
        self.context.expose_function("attacked", self._ran)
        self.context.add_init_script(WATCH)
        self.context.set_default_timeout(1000 * SECONDS_TO_WAIT)
        self.page = self.context.new_page()
        self.page.on("dialog", self._dialog)

    def _ran(self) -> None:
        self.executed += 1

    def _dialog(self, dialog: Any) -> None:
        self.dialogs += 1
        dialog.dismiss()

    def look(self) -> None:
        """Count what is on the page that is open."""
        self.opened += 1
        self.refused += self.page.evaluate("() => window.refused")
        self.markup += self.page.evaluate(MARKUP)

    def open(self, path: str) -> list[str]:
        """Open a page and return the paths that it links to."""
        try:
            answer = self.page.goto(self.base + path)
        except Error as error:
            if "Download is starting" in error.message:
                return []
            raise
        self.failed += answer.status >= 500
        if "html" not in answer.headers.get("content-type", ""):
            return []
        self.look()
        links = [link.partition("#")[0] for link in self.page.evaluate(LINKS)]
        return [link.removeprefix(self.base) for link in links if link.startswith(self.base)]

    def crawl(self) -> None:
        """Open what is linked from page to page, a few of each kind."""
        waiting, seen, kinds = list(START), set(START), Counter[str]()
        while waiting and self.opened < PAGES:
            for path in self.open(waiting.pop(0)):
                kind = re.sub(r"\d+|=[^&]*", "0", path)
                if path not in seen and "/sign-out/" not in path and kinds[kind] < SAME_KIND:
                    seen.add(path)
                    kinds[kind] += 1
                    waiting.append(path)

    def rate(self, token: str) -> None:
        """Follow the link of an annotator as far as the first item."""
        self.open(f"/join/{token}/")
        button = self.page.locator("main form button.primary").first
        while not self.page.locator("[name=submission]").count():
            for box in self.page.locator("main form input[type=checkbox]").all():
                box.check()
            button.click()
            self.page.wait_for_load_state()
            self.look()
        self.rated += 1


def replay() -> Iterator[Line]:
    """Read with the policy of the site, then without it: then a payload that is markup runs."""
    with running_site() as site, sync_playwright() as playwright:
        root = signed_in(site, "root", "owner")
        links = json.loads(
            manage(site, MADE.format(folder=site.folder / "hostile")).splitlines()[-1]
        )
        cookies = [
            {"name": each.name, "value": each.value, "url": f"http://127.0.0.1:{site.port}"}
            for each in root.jar
        ]
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_FLAGS)
        for policy, tokens in zip((True, False), links, strict=True):
            reader = Reader(chromium, site, policy=policy)
            reader.context.add_cookies(cookies)
            reader.crawl()
            for token in tokens:
                reader.rate(token)
            yield _line(reader, policy)
        yield _control(Reader(chromium, site, policy=False))
        chromium.close()


def _line(reader: Reader, policy: bool) -> Line:
    figure = (
        f"{reader.opened} pages, {reader.rated} of them to rate; "
        f"{reader.executed} payloads executed, {reader.dialogs} dialogs, "
        f"{reader.refused} refused by the policy, {reader.markup} pieces of markup, "
        f"{reader.failed} errors 500"
    )
    bad = reader.executed + reader.dialogs + reader.refused + reader.markup + reader.failed
    what = f"{len(SCRIPTS)} scripts in every text, {'with' if policy else 'without'} the policy"
    return Line("H4", what, figure, reader.opened > 50 and reader.rated == len(LIVE) and not bad)


def _control(reader: Reader) -> Line:
    reader.page.set_content(ALL)
    reader.page.wait_for_timeout(1000)
    reader.look()
    figure = f"{reader.executed} payloads executed, {reader.markup} pieces of markup"
    return Line("H4", "the same scripts in a page that trusts", figure, reader.executed > 2)
