"""Cells of Excel's sheets that show an error, or a formula whose value was not stored.

calamine hands them out like empty ones, but an empty text is a text.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

_CELL = re.compile(rb"<c\b([^>]*[^/>])>(.*?)</c>", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_VALUE = re.compile(rb"<v[^>]*>[^<]")


def cells_without_value(path: Path, sheet: str) -> Iterator[tuple[int, int]]:
    """Yield row and column, from 0, of the cells of a sheet; of a workbook of another kind none."""
    try:
        with zipfile.ZipFile(path) as archive:
            data = archive.read(_part(archive, sheet))
    except (zipfile.BadZipFile, KeyError, ParseError, DefusedXmlException, OSError, ValueError):
        return
    if b't="e"' not in data and b"<f" not in data:
        return
    for attributes, inner in _CELL.findall(data):
        is_lacking = b"<f" in inner and b't="str"' not in attributes and not _VALUE.search(inner)
        place = _PLACE.search(attributes)
        if place and (is_lacking or b't="e"' in attributes):
            yield int(place[2]) - 1, _column(place[1])


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number - 1


def _part(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return which part of a workbook holds a sheet."""
    named = {
        element.get("name"): value
        for element in fromstring(archive.read("xl/workbook.xml")).iter()
        for key, value in element.attrib.items()
        if key.endswith("}id")
    }
    targets = {
        element.get("Id"): element.get("Target", "")
        for element in fromstring(archive.read("xl/_rels/workbook.xml.rels")).iter()
    }
    target = targets[named[sheet]]
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"
