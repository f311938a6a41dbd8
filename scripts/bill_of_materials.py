"""Write the software bill of materials of a release, as CycloneDX in JSON.

It names what the `requirements` files of a site pin, all that this brings with it in this
environment, and the scripts of `static/vendor`: version, licence as declared, and what needs
what. ::

    python -m scripts.bill_of_materials dist
"""

import sys
from importlib.metadata import Distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.utils import canonicalize_name

from config.settings import VERSION
from scripts.dependencies import ROOT, brought_by, licence, notes, pins

FILES = ("requirements.txt", "requirements-models.txt", "requirements-tokenizers.txt")


def bill_of_materials() -> str:
    """Return the document.

    Raises
    ------
    ValueError
        If it does not keep to the schema of CycloneDX.
    """
    root = Component(
        name="touchstone-workbench",
        version=VERSION,
        type=ComponentType.APPLICATION,
        licenses=[LicenseFactory().make_from_string("GPL-3.0-or-later")],
        bom_ref="touchstone-workbench",
    )
    wanted = pins(*FILES)
    brought = brought_by(wanted)
    components = {name: _component(name, package) for name, (package, _) in brought.items()}
    scripts = [_script(*cells) for cells in _vendored()]
    document = Bom(components=[*components.values(), *scripts])
    document.metadata.component = root
    for name, (_, needs) in brought.items():
        document.register_dependency(components[name], [components[need] for need in needs])
    pinned = [components[canonicalize_name(pin.name)] for pin in wanted]
    document.register_dependency(root, [*pinned, *scripts])
    text = JsonV1Dot6(document).output_as_string(indent=1)
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"the bill of materials does not keep to its schema: {fault.data.message}")
    return text + "\n"


def _component(name: str, package: Distribution) -> Component:
    note = notes().get(name)
    terms = (note and note["licence"]) or licence(package)
    # What is no expression of SPDX is passed on as it is declared.
    made = LicenseFactory().make_from_string(terms) if terms else None
    return Component(
        name=name,
        version=package.version,
        type=ComponentType.LIBRARY,
        licenses=[made] if made else [],
        purl=PackageURL("pypi", None, name, package.version),
        bom_ref=f"pkg:pypi/{name}",
    )


def _vendored() -> list[list[str]]:
    """Return package, version and licence of each script that pages load."""
    lines = (ROOT / "static" / "vendor" / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row[1:4] for row in rows if row[0].endswith(".js") and len(row) == 5]


def _script(name: str, version: str, terms: str) -> Component:
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        licenses=[LicenseFactory().make_from_string(terms)],
        purl=PackageURL("npm", None, name, version),
        bom_ref=f"pkg:npm/{name}",
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"touchstone-workbench-{VERSION}.cdx.json"
    target.write_text(bill_of_materials(), encoding="utf-8")
