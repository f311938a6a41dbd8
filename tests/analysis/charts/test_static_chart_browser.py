"""Charts open in a browser under a strict policy, and names in them do not collide."""

import http.server
import itertools
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from analysis.charts.bars import agreement_bars
from analysis.charts.chart import Chart
from analysis.charts.curves import top_last_curves
from analysis.charts.dots import system_means
from analysis.charts.heat_map import heat_map
from analysis.charts.render import to_svg
from analysis.charts.scatter import system_scatter
from analysis.charts.theme import themed
from tests.fixtures.machine import ROOT

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
STATIC = ROOT / "static"
POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not Path(CHROMIUM).exists() and not os.environ.get("CI"),
        reason=f"{CHROMIUM} is not installed",
    ),
]

SYSTEMS = ("RAO", "NIU", "HIGH", "BART", "YI", "ZHOU", "LUO", "IBT", "REF", "<img src=x>")
CHARTS: dict[str, Chart] = {
    chart.name: chart
    for chart in (
        heat_map(
            [{"metric": s, "aspect": "style", "value": 0.5, "n": 8} for s in SYSTEMS],
            title="t",
            statistic="r",
        ),
        top_last_curves(
            [
                {"metric": s, "end": end, "systems": n, "value": 0.5 + 0.01 * i * (n - 5), "n": n}
                for i, s in enumerate(SYSTEMS)
                for end in ("top", "last")
                for n in range(8, 2, -1)
            ],
            title="t",
            statistic="r",
        ),
        system_scatter(
            [
                {"system": s, "human": 50 + (i * 7) % 11, "metric": 0.5 + i % 3 / 100, "n": 80}
                for i, s in enumerate(SYSTEMS)
            ],
            title="t",
            human_label="h",
            metric_label="m",
            correlation="r = 0.5",
        ),
        system_means(
            [
                {"system": s, "aspect": "style", "mean": 50.0, "low": 45, "high": 55, "n": 80}
                for s in SYSTEMS
            ],
            title="t",
            score="s",
        ),
        agreement_bars(
            [{"batch": s, "value": 0.5, "aspect": "style"} for s in SYSTEMS],
            title="t",
            statistic="a",
        ),
    )
}


def figure(name: str, picture: str = "") -> str:
    """Return a figure as the page has it."""
    return (
        f'<figure class="chart" id="{name}" data-spec-url="/{name}.json">'
        '<div class="chart-canvas" tabindex="0">'
        f'<img src="/{picture or name}.svg" alt="{name}"></div>'
        '<button type="button" data-explore>Explore</button><span role="status"></span></figure>'
    )


PAGE = (
    "<!doctype html><html lang=en><title>Charts</title>"
    '<link rel="icon" href="/static/touchstone.svg">'
    '<link rel="stylesheet" href="/static/css/tokens.css">'
    '<link rel="stylesheet" href="/static/css/touchstone.css">'
    '<link rel="stylesheet" href="/static/css/workbench.css">'
    '<script src="/static/js/chart.js" defer data-vega="/static/vendor/vega.min.js" '
    'data-vega-lite="/static/vendor/vega-lite.min.js" '
    'data-vega-embed="/static/vendor/vega-embed.min.js"></script><main>'
    + "".join(map(figure, CHARTS))
    + figure("absent", picture="heat-map")
)


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the page, pictures, specifications and static files under the policy."""

    def log_message(self, *arguments: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        theme = parse_qs(address.query).get("theme", ["light"])[0]
        path = Path(address.path)
        if address.path == "/":
            self.answer(PAGE, "text/html; charset=utf-8")
        elif path.parts[1] == "static":
            self.answer((STATIC.parent / address.path[1:]).read_text("utf-8"), TYPES[path.suffix])
        elif path.stem not in CHARTS:
            self.send_error(404)
        elif path.suffix == ".svg":
            self.answer(to_svg(CHARTS[path.stem], theme), TYPES[".svg"])
        else:
            self.answer(json.dumps(themed(CHARTS[path.stem].spec, theme)), "application/json")

    def answer(self, text: str, content_type: str) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: object, address: str) -> Iterator[object]:
    page = chromium.new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page.complaints = []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(address)
    yield page
    page.close()


@pytest.mark.parametrize("name", list(CHARTS))
def test_a_chart_becomes_interactive_under_the_policy_without_a_complaint(
    page: object, name: str
) -> None:
    chart = page.locator(f"#{name}")
    chart.locator("button").click()
    page.locator(f"#{name}[data-state=interactive]").wait_for()
    assert chart.locator(".chart-canvas svg").count() == 1
    assert chart.locator(".chart-canvas img").count() == 0
    assert page.complaints == []
    assert page.locator("style").count() == 0


def test_pointing_at_a_system_shows_its_numbers_with_its_name_as_text(page: object) -> None:
    page.locator("#system-means button").click()
    page.locator("#system-means[data-state=interactive]").wait_for()
    page.locator("#system-means .mark-symbol path").last.hover(force=True)
    tooltip = page.locator("#vg-tooltip-element.visible")
    tooltip.wait_for()
    assert "50.000" in tooltip.inner_text()
    assert any(system in tooltip.inner_text() for system in SYSTEMS)
    assert tooltip.locator("img").count() == 0
    assert page.complaints == []


def test_a_chart_that_cannot_be_fetched_says_so_and_keeps_its_picture(page: object) -> None:
    page.locator("#absent button").click()
    page.locator("#absent[data-state=failed]").wait_for()
    assert "answered 404" in page.locator("#absent [role=status]").inner_text()
    assert page.locator("#absent img").count() == 1
    assert page.locator("#absent button").is_enabled()


def test_the_library_is_not_loaded_before_somebody_asks_for_it(page: object) -> None:
    assert page.locator("head script[src*=vega]:not([data-vega])").count() == 0
    page.locator("#heat-map button").click()
    page.locator("#heat-map[data-state=interactive]").wait_for()
    assert page.locator("head script[src*=vega]:not([data-vega])").count() == 3


@pytest.mark.parametrize("name", ["system-scatter", "top-last-curves"])
def test_names_in_a_picture_do_not_cover_each_other_in_a_real_font(page: object, name: str) -> None:
    page.locator(f"#{name} button").click()
    page.locator(f"#{name}[data-state=interactive]").wait_for()
    texts = page.locator(f"#{name} .mark-text.role-mark text")
    boxes = [texts.nth(index).bounding_box() for index in range(texts.count())]
    assert len(boxes) >= len(SYSTEMS)
    # Boxes of text include the space above and below the letters.
    for one, other in itertools.combinations(boxes, 2):
        apart = (
            one["x"] + one["width"] <= other["x"]
            or other["x"] + other["width"] <= one["x"]
            or one["y"] + one["height"] <= other["y"] + 3
            or other["y"] + other["height"] <= one["y"] + 3
        )
        assert apart, (one, other)
