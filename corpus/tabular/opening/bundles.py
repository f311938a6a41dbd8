"""What a study archive says of itself: `study.json`, and `manifest.json` of its members."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from corpus.tabular.limits import MEBIBYTE
from corpus.tabular.plain import DeepJSON, check_levels
from corpus.tabular.problems import Problem, TableError, problem, refused, shorten

FILE = "manifest.json"
FORMAT = "touchstone-study/1"
FOR_SPREADSHEETS = "for spreadsheets, not for import"
_LONGEST_MANIFEST = 16 << 20


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
    manifest = _manifest(members[FILE]) if FILE in members else {}
    written, stated = str(manifest.get("format")), manifest.get("members")
    is_bundle = written == FOR_SPREADSHEETS or written.startswith("touchstone-")
    if not is_bundle or not isinstance(stated, dict):
        return False
    if written != FORMAT:
        kind = "for-spreadsheets" if written == FOR_SPREADSHEETS else "other-version"
        raise refused(kind, FILE, written, expected=FORMAT)
    if problems := list(_changed(members, stated)):
        raise TableError(*problems)
    return True


def _manifest(place: Path) -> dict[str, Any]:
    """Return an object of JSON; an empty one if a file is none."""
    try:
        with place.open("rb") as stream:
            manifest = json.loads(stream.read(_LONGEST_MANIFEST))
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
        yield problem("changed-member", shorten(name), found, expected=expected)


STUDY_FILE = "study.json"
LONGEST_STUDY_FILE = 16 * MEBIBYTE
MOST_VALUES = 1_000_000
_SHORT = "a short description"


def read_study_file(place: Path, name: str = STUDY_FILE) -> dict[str, Any]:
    """Return what ``study.json`` holds; `TableError` with the line if it is broken."""
    with place.open("rb") as stream:
        data = stream.read(LONGEST_STUDY_FILE + 1)
    if len(data) > LONGEST_STUDY_FILE:
        raise refused("study-json", name, "a file of more than 16 MiB", expected=_SHORT)
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise refused("study-json", name, f"more than {MOST_VALUES:,} values", expected=_SHORT)
    try:
        content = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse)
        check_levels(content)
    except UnicodeDecodeError as error:
        found, line = f"byte 0x{data[error.start]:02x}", data.count(b"\n", 0, error.start) + 1
        raise refused("study-json", name, found, expected="UTF-8 text", line=line) from None
    except json.JSONDecodeError as error:
        raise refused("study-json", name, error.msg, expected="JSON", line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        found = str(DeepJSON() if isinstance(error, RecursionError) else error)
        raise refused("study-json", name, found, expected="JSON") from None
    if not isinstance(content, dict):
        expected = "an object in braces"
        raise refused("study-json", name, shorten(content), expected=expected, line=1)
    return content


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number")
