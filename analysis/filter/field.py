"""A field of the filter, declared once: how it is read, checked, offered and documented."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Pairs = Sequence[tuple[str, str]]
"""Choices of a field: values with what forms call them."""


@dataclass(frozen=True)
class FilterField:
    """What forms, the API, commands and documents know of a field.

    Parameters
    ----------
    label
        Its name in forms.
    help
        What it chooses.
    words
        Its values with their names in forms, the default first; empty where any text is possible.
    expected
        What is possible instead, where `check` refuses a value.
    check
        Whether a value is possible.
    typed
        Attributes of the input where it is typed; empty where it is chosen from a list.
    is_variant
        Whether it chooses a variant of the statistics, which forms fold away.
    """

    label: str
    help: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    expected: str = ""
    check: Callable[[Any], bool] = lambda value: True
    typed: Mapping[str, str | int] = field(default_factory=dict)
    is_variant: bool = False

    def fault(self, value: Any) -> str:
        """Return what is wrong with a value, or with one of several; empty if nothing is."""
        for each in value if isinstance(value, tuple) else (value,):
            if self.words and str(each) not in self.words:
                return f"{each}: expected one of {', '.join(filter(None, self.words))}"
            if not self.check(each):
                return f"{each}: expected {self.expected}"
        return ""


def any_text(label: str, help: str = "", **more: Any) -> Any:
    """Declare a field of any text, which a study offers the values of."""
    return field(default="", metadata={"filter": FilterField(label, help, **more)})


def several(label: str, help: str = "", pair: str = "") -> Any:
    """Declare a field of several texts, each perhaps a pair such as `attribute:value`."""
    declared = FilterField(label, help, expected=pair, check=lambda text: not pair or ":" in text)
    return field(default=(), metadata={"filter": declared})


def one_of(words: Mapping[str, str], label: str, help: str = "", **more: Any) -> Any:
    """Declare a field of one of some values, the default first."""
    declared = FilterField(label, help, words, **more)
    return field(default=next(iter(words)), metadata={"filter": declared})


def number(
    default: float | None,
    label: str,
    help: str,
    expected: str,
    check: Callable[[Any], bool],
    size: int = 6,
    **more: Any,
) -> Any:
    """Declare a field of a number."""
    typed: dict[str, str | int] = {
        "inputmode": "numeric" if isinstance(default, int) else "decimal",
        "size": size,
    }
    declared = FilterField(label, help, expected=expected, check=check, typed=typed, **more)
    return field(default=default, metadata={"filter": declared})


def amount(label: str, help: str, **more: Any) -> Any:
    """Declare a field of a number that is not below zero."""
    return number(0.0, label, help, "0 or more", lambda x: 0 <= x < float("inf"), **more)


def correlation(label: str, help: str) -> Any:
    """Declare a field of a correlation, none by default."""
    expected = "a correlation between -1 and 1"
    return number(None, label, help, expected, lambda r: r is None or -1 < r < 1, is_variant=True)
