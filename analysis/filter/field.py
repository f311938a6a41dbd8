"""A field of the filter, declared once: how it is read, checked, offered and documented."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


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
                return f"{each}: expected one of {', '.join(self.words)}"
            if not self.check(each):
                return f"{each}: expected {self.expected}"
        return ""
