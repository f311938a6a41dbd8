"""Decoded JSON of a mapping, whose mistakes are noted one by one and told together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from collections.abc import Mapping as AnyMapping
from typing import Any

from corpus.tabular.problems import Problem, TableError, shorten

MOST_NOTED = 50


class CheckedJson:
    """Decoded JSON whose values are taken out one by one, noting those of the wrong kind.

    Parameters
    ----------
    data
        The JSON; problems are noted if it is no object.
    name
        What problems call the whole.
    prefix
        Where an object inside it lies, such as ``wide.``.
    problems
        Those noted so far.
    """

    def __init__(
        self, data: object, name: str, prefix: str = "", problems: list[Problem] | None = None
    ) -> None:
        self._name = name
        self._prefix = prefix
        self.problems: list[Problem] = [] if problems is None else problems
        self._data: AnyMapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.note("", data, "an object in braces")

    def note(self, key: str, found: object, expected: str) -> None:
        """Note a value that is not what is expected; the empty key means all of them.

        Of very many only the first are told.
        """
        if len(self.problems) > MOST_NOTED:
            return
        if len(self.problems) == MOST_NOTED:
            found, expected, key = "more like these", "none", ""
        self.problems.append(
            Problem(
                self._name,
                column=(self._prefix + key).rstrip(".") or None,
                found=shorten(found),
                expected=expected,
                message="Correct the mapping.",
                code="mapping",
            )
        )

    def _take(self, key: str, kind: type, expected: str) -> Any:
        value = self._data.get(key)
        if value is None or isinstance(value, kind):
            return value
        self.note(key, value, expected)
        return None

    def value(self, key: str) -> Any:
        """Return what is under a key, of any kind; None if there is nothing."""
        return self._data.get(key)

    def has(self, key: str) -> bool:
        """Return whether there is something under a key."""
        return self._data.get(key) is not None

    def number(self, key: str) -> float | None:
        """Return a finite number."""
        value = self.value(key)
        if type(value) in (int, float) and math.isfinite(value):
            return float(value)
        if value is not None:
            self.note(key, value, "a number")
        return None

    def objects(self, key: str) -> Iterator[CheckedJson]:
        """Yield the objects of a list, their problems noted here."""
        value = self._take(key, list, "a list of objects in braces") or []
        for number, each in enumerate(value):
            yield CheckedJson(each, self._name, f"{self._prefix}{key}[{number}].", self.problems)

    def inner(self, key: str) -> CheckedJson | None:
        """Return the object under a key, its problems noted here; None if there is none."""
        value = self._data.get(key)
        if value is None:
            return None
        return CheckedJson(value, self._name, f"{self._prefix}{key}.", self.problems)

    def text(self, key: str, *, required: bool = False, default: str | None = None) -> str | None:
        """Return a text; one that is required is noted if it is absent or empty."""
        value: str | None = self._take(key, str, "a text")
        if (
            required
            and not value
            and not any(p.column == self._prefix + key for p in self.problems)
        ):
            self.note(key, "nothing", "a text")
        return default if value is None else value

    def flag(self, key: str) -> bool:
        """Return whether a key is set."""
        return bool(self._take(key, bool, "true or false"))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self._take(key, list, "a list of texts") or []
        if not all(isinstance(item, str) for item in value):
            self.note(key, value, "a list of texts")
            return ()
        return tuple(value)

    def mapping(self, key: str) -> dict[str, Any]:
        """Return an object, whatever lies in it."""
        return dict(self._take(key, dict, "an object in braces") or {})

    def unknown(self, known: set[str]) -> None:
        """Note each key that is not known."""
        for key in self._data:
            if key not in known:
                self.note(str(key), key, f"one of {', '.join(sorted(known))}")

    def finish(self, known: set[str]) -> None:
        """Raise a `TableError` with all problems noted, if there are any."""
        self.unknown(known)
        if self.problems:
            raise TableError(*self.problems)
