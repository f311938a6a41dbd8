"""What a study says of itself in its ``study.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from corpus.tabular.limits import MEBIBYTE
from corpus.tabular.opening.json_levels import DeepJSON, check_levels
from corpus.tabular.problems import TableError, refused, shorten

STUDY_FILE = "study.json"
LONGEST_STUDY_FILE = 16 * MEBIBYTE
MOST_VALUES = 1_000_000
_SHORT = "a short description"


def read_study_file(place: Path, name: str = STUDY_FILE) -> dict[str, Any]:
    """Return what ``study.json`` holds; `TableError` with the line if it is broken."""
    with place.open("rb") as stream:
        data = stream.read(LONGEST_STUDY_FILE + 1)
    if len(data) > LONGEST_STUDY_FILE:
        raise _broken(name, "a file of more than 16 MiB", _SHORT)
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise _broken(name, f"more than {MOST_VALUES:,} values", _SHORT)
    text, line = data.decode("utf-8-sig", "replace"), None
    try:
        data.decode()
        content = json.loads(text, parse_constant=_refuse)
        check_levels(content)
    except UnicodeDecodeError as error:
        found, expected = f"byte 0x{data[error.start]:02x}", "UTF-8 text"
        line = data.count(b"\n", 0, error.start) + 1
    except json.JSONDecodeError as error:
        found = shorten(text[error.pos : error.pos + 40].split("\n")[0]) or "the end of the file"
        expected, line = f"JSON ({error.msg})", error.lineno
    except (DeepJSON, RecursionError):
        found, expected = str(DeepJSON()), _SHORT
    except ValueError as error:  # from _refuse
        found, expected = str(error), "a number or null"
        line = text.count("\n", 0, text.find(found)) + 1
    else:
        if isinstance(content, dict):
            return content
        found, expected, line = shorten(text.strip()), "an object in braces", 1
    raise _broken(name, found, expected, line)


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _broken(name: str, found: str, expected: str, line: int | None = None) -> TableError:
    advice = "Correct the file, or leave it out."
    return refused(name, found, expected, advice, "study-json", line)
