"""What a bundle says of its own members, compared with what arrived."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from corpus.tabular.archives import is_hidden
from corpus.tabular.problems import Problem, TableError, shorten

FILE = "manifest.json"
FORMAT = "touchstone-study/1"
FOR_SPREADSHEETS = "for spreadsheets, not for import"
LONGEST_NAME = 255
"""Characters that any file system takes; those that it does not have no such file either."""
_LONGEST = 16 << 20
_CHUNK = 1 << 20

Open = Callable[[str], IO[bytes]]


def check_bundle(path: Path) -> bool:
    """Check a bundle's members against its `manifest.json`.

    Parameters
    ----------
    path
        A folder or an archive that has been found safe to read.

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
    with _members(path) as open_member:
        manifest = _read(open_member)
        if manifest is None:
            return False
        if manifest["format"] != FORMAT:
            raise TableError(_unusable(str(manifest["format"])))
        problems = list(_changed(open_member, manifest["members"]))
    if problems:
        raise TableError(*problems)
    return True


@contextmanager
def _members(path: Path) -> Iterator[Open]:
    """Give a function that opens a member by name; it raises `KeyError` if there is none."""
    if path.is_dir():

        def from_folder(name: str) -> IO[bytes]:
            place = path / name
            if "/" in name or "\\" in name or len(name) > LONGEST_NAME or not place.is_file():
                raise KeyError(name)
            return place.open("rb")

        yield from_folder
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            members = [info.filename for info in archive.infolist() if not info.is_dir()]
            names = [name for name in members if not is_hidden(name)]
            tops = {name.partition("/")[0] for name in names}
            inside = len(tops) == 1 and all("/" in name for name in names)
            prefix = f"{tops.pop()}/" if inside else ""
            yield lambda name: archive.open(prefix + name)
    else:

        def from_file(name: str) -> IO[bytes]:
            raise KeyError(name)

        yield from_file


def _read(open_member: Open) -> dict[str, Any] | None:
    """Return the manifest; None if there is none, or another program wrote it."""
    try:
        with open_member(FILE) as stream:
            manifest = json.loads(stream.read(_LONGEST))
    except (KeyError, ValueError, RecursionError):
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


def _changed(open_member: Open, members: dict[str, Any]) -> Iterator[Problem]:
    for name, facts in members.items():
        stated = str(facts.get("sha256", "")) if isinstance(facts, dict) else ""
        try:
            with open_member(name) as stream:
                digest = hashlib.sha256()
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
        except KeyError:
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
