"""Pages that everybody can use: what axe finds, and that nothing is wider than the window."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

PHONE = {"width": 390, "height": 844}
WIDTHS = [
    pytest.param(1280, False, id="desktop"),
    pytest.param(390, True, id="phone, dark", marks=pytest.mark.nightly),
    pytest.param(1280, True, id="desktop, dark", marks=pytest.mark.nightly),
    pytest.param(390, False, id="phone", marks=pytest.mark.nightly),
]
"""Widths of windows, light or dark; axe looks at each page in one of them, by night in all."""


def assert_usable(page: Any, *, whatever_impact: bool = False) -> None:
    """Check a page with axe, and that it is no wider than its window or than a phone."""
    found = Axe().run(page).response["violations"]
    barriers = [
        f"{each['id']}: {node['html'][:120]}"
        for each in found
        if whatever_impact or each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
    assert barriers == [], page.url
    window = page.viewport_size
    for view in (window, PHONE):
        page.set_viewport_size(view)
        assert page.evaluate("document.documentElement.scrollWidth") <= view["width"], page.url
    page.set_viewport_size(window)
