"""What a bundle says of its own members, compared with what arrived."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corpus.tabular.problems import Problem, TableError, refused, shorten

FILE = "manifest.json"
FORMAT = "touchstone-study/1"
FOR_SPREADSHEETS = "for spreadsheets, not for import"
_LONGEST = 16 << 20
_OF_SPREADSHEETS = (
    "This zip was written for spreadsheets: its texts are protected from being run as formulas and "
    "so are not the stored ones. Export the study again without that option."
)
_OTHER_VERSION = "This bundle was written by another version of Touchstone; update this one."
_CHANGED = (
    "This is not the file that was exported: copy the bundle again; or, if you changed it on "
    "purpose, remove manifest.json."
)


def check_bundle(members: Mapping[str, Path]) -> bool:
    """Check a bundle's members against its `manifest.json`.

    Parameters
    ----------
    members
        Names of the files of a folder or an archive, and where they lie.

    Returns
    -------
    bool
        Whether there is the manifest of a bundle; another program's `manifest.json` is none.

    Raises
    ------
    TableError
        If the bundle was written for spreadsheets, or in a format that is not known; else with
        one problem for each member that is absent or whose SHA-256 is not the one stated.
    """
    manifest = _read(members[FILE]) if FILE in members else {}
    written, stated = str(manifest.get("format")), manifest.get("members")
    is_bundle = written == FOR_SPREADSHEETS or written.startswith("touchstone-")
    if not is_bundle or not isinstance(stated, dict):
        return False
    if written != FORMAT:
        advice = _OF_SPREADSHEETS if written == FOR_SPREADSHEETS else _OTHER_VERSION
        raise refused(FILE, written, FORMAT, advice, "bundle")
    if problems := list(_changed(members, stated)):
        raise TableError(*problems)
    return True


def _read(place: Path) -> dict[str, Any]:
    """Return an object of JSON; an empty one if a file is none."""
    try:
        with place.open("rb") as stream:
            manifest = json.loads(stream.read(_LONGEST))
    except (ValueError, RecursionError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def _changed(members: Mapping[str, Path], stated_members: dict[str, Any]) -> Iterator[Problem]:
    for name, facts in stated_members.items():
        stated = str(facts.get("sha256", "")) if isinstance(facts, dict) else ""
        found, expected = "nothing", "the file that manifest.json lists"
        if name in members:
            with members[name].open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            if digest == stated:
                continue
            found, expected = f"SHA-256 {digest}", f"{stated}, as manifest.json says"
        yield Problem(shorten(name), None, None, found, expected, _CHANGED, "checksum")
