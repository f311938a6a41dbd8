"""Cells of Excel's sheets that show an error, or a formula whose value was not stored.

calamine hands them out like empty ones, but an empty text is a text.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from corpus.tabular.opening.archives import DAMAGE

_CELL = re.compile(rb"<c\b([^>]*[^/>])>(.*?)</c>", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_VALUE = re.compile(rb"<v[^>]*>[^<]")


def cells_without_value(path: Path, sheet: str) -> Iterator[tuple[int, int]]:
    """Yield row and column, from 0, of the cells of a sheet; of a workbook of another kind none."""
    try:
        with zipfile.ZipFile(path) as archive:
            data = archive.read(_part(archive, sheet))
    except (KeyError, ParseError, DefusedXmlException, *DAMAGE):
        return
    if b't="e"' not in data and b"<f" not in data:
        return
    for attributes, inner in _CELL.findall(data):
        is_lacking = b"<f" in inner and b't="str"' not in attributes and not _VALUE.search(inner)
        place = _PLACE.search(attributes)
        if place and (is_lacking or b't="e"' in attributes):
            column = reduce(lambda number, letter: 26 * number + letter - 64, place[1], 0)
            yield int(place[2]) - 1, column - 1


def _part(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return which part of a workbook holds a sheet."""
    book = fromstring(archive.read("xl/workbook.xml")).iter()
    related = fromstring(archive.read("xl/_rels/workbook.xml.rels")).iter()
    (name,) = (
        value
        for element in book
        if element.get("name") == sheet
        for key, value in element.attrib.items()
        if key.endswith("}id")
    )
    targets = {element.get("Id"): element.get("Target", "") for element in related}
    return posixpath.join("xl", targets[name]).lstrip("/")
