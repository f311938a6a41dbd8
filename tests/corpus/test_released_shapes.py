"""Files in the forms in which tools and papers of this field release them, read without help.

Each folder of `released_shapes` is one upload with invented texts; `expected.json` has what the
study must then hold. Every question that an import asks is answered as it proposes. Files in
other encodings and workbooks are stored as text and written anew for each test.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.fixtures.by_night import by_night
from tests.fixtures.imported_files import import_accepting, stored_counts, values_not_stored

pytestmark = pytest.mark.django_db
FOLDER = Path(__file__).parent / "released_shapes"
EXPECTED: dict[str, dict[str, Any]] = json.loads(
    (FOLDER / "expected.json").read_text(encoding="utf-8")
)
COUNTED = ("segments", "systems", "outputs", "references", "ratings", "raters", "votes", "scores")
ENCODINGS = {"utf16_tabs": "utf-16", "windows_1252": "cp1252"}


def _written_workbook(described: Path, path: Path) -> None:
    """Write the sheets that a JSON file describes as an Excel workbook."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for sheet in json.loads(described.read_text(encoding="utf-8"))["sheets"]:
        page = book.create_sheet(sheet["name"])
        for row in sheet["rows"]:
            page.append([None if cell == "" else cell for cell in row])
        for area in sheet["merged"]:
            page.merge_cells(area)
    book.save(path)


def _upload(shape: str, folder: Path) -> Path:
    """Write the files of a shape as they are released, into a folder."""
    shutil.copytree(FOLDER / shape, folder)
    for path in list(folder.rglob("*.xlsx.json")):
        _written_workbook(path, path.with_suffix(""))
        path.unlink()
    if encoding := ENCODINGS.get(shape):
        for path in folder.iterdir():
            path.write_bytes(path.read_bytes().decode().encode(encoding))
    return folder


def test_every_shape_is_described():
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} == set(EXPECTED)
    assert set(EXPECTED) >= ENCODINGS.keys()


@pytest.mark.parametrize("shape", by_night(EXPECTED, *[*EXPECTED][::3]))
def test_a_released_shape_is_read_without_help(shape, tmp_path):
    """Numbers of everything, and a few exact values."""
    expected = EXPECTED[shape]
    import_accepting(_upload(shape, tmp_path / "upload"))
    stored = stored_counts()
    counted = [name for name in (*COUNTED, "controls") if name in expected]
    assert {name: stored[name] for name in counted} == {n: expected[n] for n in counted}
    assert values_not_stored(expected["values"]) == []
