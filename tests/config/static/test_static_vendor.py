"""Vendored scripts are the ones that their list names, with their licences."""

import hashlib

import pytest

from analysis.charts.render import VEGA_LITE_VERSION
from tests.fixtures.machine import ROOT

VENDOR = ROOT / "static" / "vendor"


def listed() -> dict[str, tuple[str, str, str]]:
    """Package, version and SHA-256 of each file in the table of the README."""
    rows = {}
    for line in (VENDOR / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[0].endswith(".js"):
            rows[cells[0]] = (cells[1], cells[2], cells[4])
    return rows


def test_the_list_names_exactly_the_scripts_that_are_there() -> None:
    assert set(listed()) == {path.name for path in VENDOR.glob("*.js")}
    assert listed()


@pytest.mark.parametrize("name", sorted(listed()))
def test_a_vendored_script_has_the_listed_sum_and_version_and_its_licence(name: str) -> None:
    package, version, digest = listed()[name]
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest
    assert f'"{version}"' in (VENDOR / name).read_text(encoding="utf-8")
    assert "Copyright" in (VENDOR / "licences" / f"{package}.txt").read_text(encoding="utf-8")


def test_the_page_draws_with_the_same_minor_version_as_the_server() -> None:
    _, version, _ = listed()["vega-lite.min.js"]
    assert version.rsplit(".", 1)[0] == VEGA_LITE_VERSION
