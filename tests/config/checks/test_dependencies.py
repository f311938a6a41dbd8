"""What is pinned is described, its licences are known, and the bill of materials names it."""

import json
import urllib.request
from io import BytesIO
from typing import Any

import pytest
from packaging.utils import canonicalize_name

from scripts import audit
from scripts.bill_of_materials import FILES, bill_of_materials
from scripts.dependencies import (
    BROUGHT,
    COPYLEFT,
    GROUPS,
    PAGE,
    brought_by,
    licence,
    notes,
    page,
    pins,
    version_of,
)
from tests.fixtures.nonempty import at_least_one


def test_the_page_is_what_is_pinned() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m scripts.dependencies"


def test_the_page_says_what_each_package_is_for_and_its_licence() -> None:
    pinned = {canonicalize_name(pin.name) for pin in pins(*GROUPS.values())}
    assert pinned == set(notes())
    for row in at_least_one(notes().values()):
        assert row["why"], row["package"]
    cells = [line.split(" | ") for line in page().splitlines() if line.count(" | ") == 5]
    assert len(cells) == len(pinned) + 2 * len(GROUPS)
    assert all(cell[4].strip() for cell in cells)


def test_no_package_comes_along_under_a_licence_that_is_not_named() -> None:
    """A licence is read from what packages declare: new ones may come with any installation."""
    brought = brought_by(pins(*GROUPS.values()))
    assert len(brought) > len(notes())
    shown = {name for name in brought if COPYLEFT.search(licence(brought[name][0]))}
    described = page().split("## Licences\n")[1].split("\n## ")[0]
    assert [name for name in at_least_one(sorted(shown)) if f"`{name}`" not in described] == []
    assert not BROUGHT.keys() & notes().keys()


def test_the_bill_of_materials_names_every_pinned_package_with_its_version() -> None:
    made = json.loads(bill_of_materials())  # Is refused if it does not keep to its schema.
    versions = {each["name"]: each["version"].partition("+")[0] for each in made["components"]}
    wanted = {canonicalize_name(pin.name): version_of(pin) for pin in pins(*FILES)}
    assert wanted.items() <= versions.items()
    assert {"asgiref", "vega"} <= versions.keys()
    assert not {"pytest", "ruff"} & versions.keys()
    assert all(each.get("licenses") for each in made["components"])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b'{"vulnerabilities": []}', "knows no vulnerabilities"),
        (b"<html>", "does not answer"),
        (b'{"vulnerabilities": [{"id": "PYSEC-1"}]}', ""),
    ],
)
def test_what_answers_without_vulnerabilities_is_not_taken_for_the_service(
    answer: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answered(address: str, **_: Any) -> BytesIO:
        return BytesIO(answer)

    monkeypatch.setattr(urllib.request, "urlopen", answered)
    assert said in audit.why_not()
    assert bool(said) == bool(audit.why_not())
