"""What a bundle says of its own members, compared with what arrived."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corpus.tabular.problems import Problem, TableError, shorten

FILE = "manifest.json"
FORMAT = "touchstone-study/1"
FOR_SPREADSHEETS = "for spreadsheets, not for import"
_LONGEST = 16 << 20


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
    manifest = _read(members[FILE]) if FILE in members else None
    if manifest is None:
        return False
    if manifest["format"] != FORMAT:
        raise TableError(_unusable(str(manifest["format"])))
    problems = list(_changed(members, manifest["members"]))
    if problems:
        raise TableError(*problems)
    return True


def _read(place: Path) -> dict[str, Any] | None:
    """Return the manifest; None if another program wrote it."""
    try:
        with place.open("rb") as stream:
            manifest = json.loads(stream.read(_LONGEST))
    except (ValueError, RecursionError):
        return None
    known = isinstance(manifest, dict) and isinstance(manifest.get("members"), dict)
    written_here = known and (
        manifest.get("format") == FOR_SPREADSHEETS
        or str(manifest.get("format")).startswith("touchstone-")
    )
    return manifest if written_here else None


def _unusable(written: str) -> Problem:
    if written == FOR_SPREADSHEETS:
        message = (
            "This zip was written for spreadsheets: its texts are protected from being run as "
            "formulas and so are not the stored ones. Export the study again without that option."
        )
    else:
        message = "This bundle was written by another version of Touchstone; update this one."
    return Problem(
        FILE, column="format", found=written, expected=FORMAT, message=message, code="bundle"
    )


def _changed(members: Mapping[str, Path], stated_members: dict[str, Any]) -> Iterator[Problem]:
    for name, facts in stated_members.items():
        stated = str(facts.get("sha256", "")) if isinstance(facts, dict) else ""
        if name in members:
            with members[name].open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256")
        else:
            yield _problem(name, "nothing", "the file that manifest.json lists")
            continue
        if digest.hexdigest() != stated:
            yield _problem(
                name, f"SHA-256 {digest.hexdigest()}", f"{stated}, as manifest.json says"
            )


def _problem(name: str, found: str, expected: str) -> Problem:
    message = (
        "This is not the file that was exported: copy the bundle again; or, if you changed it on "
        "purpose, remove manifest.json."
    )
    return Problem(shorten(name), found=found, expected=expected, message=message, code="checksum")
