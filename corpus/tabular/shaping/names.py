"""Names of values in the tables of a file, dotted where values lie in others, as SQL.

``a.b`` is a key of an object inside an object; ``ratings[].rater`` a key of each object of a list,
of which a mapping's ``explode`` makes one record each.
"""

from collections.abc import Mapping
from typing import Any

from corpus.tabular.guesses.columns import ELEMENT, POSITION
from corpus.tabular.sql import ROW, literal, quoted, table_name

JSON = "json"


class UnknownNameError(LookupError):
    """A name that leads nowhere, or a path that is no list."""


class Scope:
    """What names may be asked for: the columns of a file, and elements of its lists.

    Parameters
    ----------
    columns
        Name and DuckDB type of each column.
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._known = {name: (quoted(name), kind) for name, kind in columns.items()}
        self._known[POSITION] = (f"CAST({ROW} AS VARCHAR)", None)

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def unfolded(self, file: str, path: str) -> str:
        """Return the table of a file as SQL, with a row for each element of a list, if any."""
        source = table_name(file)
        parts = path.split(ELEMENT) if path else []
        for count in range(1, len(parts) + 1):
            name = ELEMENT.join(parts[:count])
            sql, kind = self.resolved(name)
            if kind is None or kind.id != "list":
                raise UnknownNameError(name)
            element, place = quoted(f"{name}{ELEMENT}"), quoted(f"{name}{POSITION}")
            source = (
                f"(\n    SELECT *, unnest({sql}) AS {element}, "
                f"generate_subscripts({sql}, 1) AS {place}\n    FROM {source}\n)"
            )
            self._known[f"{name}{ELEMENT}"] = (element, dict(kind.children)["child"])
            self._known[f"{name}{POSITION}"] = (f"CAST({place} AS VARCHAR)", None)
        return source

    def sql(self, name: str) -> str:
        """Return a name as SQL; raise `UnknownNameError` for one that leads nowhere."""
        return self.resolved(name)[0]

    def is_map(self, name: str) -> bool:
        """Whether a column has the type of a map."""
        kind = self._known.get(name, ("", None))[1]
        return kind is not None and kind.id == "map"

    def resolved(self, name: str) -> tuple[str, Any]:
        """Return a name as SQL, and its type."""
        if name in self._known:
            return self._known[name]
        holders = [known for known in self._known if name.startswith((f"{known}.", f"{known}["))]
        for holder in sorted(holders, key=len, reverse=True)[:1]:
            if found := _inside(*self._known[holder], name[len(holder) :]):
                return found
        raise UnknownNameError(name)


def _inside(sql: str, kind: Any, rest: str) -> tuple[str, Any] | None:
    """Return what lies in a value at the end of a path; None if nothing does."""
    if not rest:
        return sql, kind
    if kind is None:
        return None
    if rest.startswith(ELEMENT) and kind.id == "list":
        inner = _inside("element", dict(kind.children)["child"], rest[len(ELEMENT) :])
        if inner is None or inner[0] == "element":
            return inner and (sql, kind)
        return f"list_transform({sql}, lambda element: {inner[0]})", kind
    if rest.startswith(".") and kind.id == "struct":
        keys = [k for k, _ in kind.children if f"{rest}.".startswith((f".{k}.", f".{k}["))]
        for key in sorted(keys, key=len, reverse=True):
            inner = dict(kind.children)[key]
            if found := _inside(f"{sql}.{quoted(key)}", inner, rest[len(key) + 1 :]):
                return found
    if rest.startswith(".") and kind.id == JSON:
        path = "$" + "".join(f'."{key}"' for key in rest[1:].split("."))
        inside = f"json_extract_string({sql}, {literal(path)})"
        return f"CASE WHEN json_valid({sql}) THEN {inside} END", None
    if rest.startswith(".") and kind.id == "map":
        return f"{sql}[{literal(rest[1:])}]", dict(kind.children)["value"]
    return None


def leaves(columns: Mapping[str, Any]) -> list[str]:
    """Return the dotted names of all values: ``a.b`` in an object, ``ratings[].score`` in a list.

    What has the type of a map is one value.
    """
    found: list[str] = []

    def walk(name: str, kind: Any) -> None:
        if kind.id == "struct":
            for key, inner in kind.children:
                walk(f"{name}.{key}", inner)
        elif kind.id == "list" and _holds_objects(kind):
            walk(f"{name}{ELEMENT}", dict(kind.children)["child"])
        else:
            found.append(name)

    for name, kind in columns.items():
        walk(name, kind)
    return found


def _holds_objects(kind: Any) -> bool:
    inner = dict(kind.children)["child"]
    return inner.id == "struct" or (inner.id == "list" and _holds_objects(inner))
