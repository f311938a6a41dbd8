"""Whether a file has the list of which each element is to make a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from corpus.tabular.problems import Problem, TableError, shorten


def has_list(record: Any, path: Sequence[str]) -> bool:
    """Whether a record has a list, which may be empty, at the end of a path.

    Examples
    --------
    >>> has_list({"by": [{"ratings": []}]}, ["by", "ratings"]), has_list({"by": 3}, ["by"])
    (True, False)
    """
    if isinstance(record, list):
        return any(has_list(item, path) for item in record)
    if not isinstance(record, dict) or path[0] not in record:
        return False
    value = record[path[0]]
    return isinstance(value, list) if len(path) == 1 else has_list(value, path[1:])


def check_positions(file: str, names: Sequence[str], explode: str | None) -> None:
    """Raise a `TableError` if the position in a list is used of which no records are made.

    Examples
    --------
    >>> check_positions("r.jsonl", ["ratings[#]", "[#]", "id"], "ratings")
    """
    path = (explode or "").replace("[]", "")
    for name in names:
        parent = name.removesuffix("[#]").replace("[]", "")
        if name.endswith("[#]") and parent and not f"{path}.".startswith(f"{parent}."):
            raise TableError(
                Problem(
                    file,
                    column="explode",
                    found=shorten(name),
                    expected=f"explode: {parent}",
                    message="A position is that of an element; say that each element of the list "
                    "makes a record.",
                    code="mapping",
                )
            )


def no_list(file: str, path: str, *, has_lists: bool = True) -> TableError:
    """Return the error of a file without that list; a table of columns has none at all."""
    if has_lists:
        expected = f"a list called {path}"
        message = "No record has such a list. Correct explode in the mapping, or take it out."
    else:
        expected = "JSON Lines or Parquet"
        message = "The cells of this file hold no lists. Take explode out of the mapping."
    return TableError(
        Problem(
            file, column="explode", found=path, expected=expected, message=message, code="mapping"
        )
    )
