"""Functions whose modules are imported when they are first called.

What rooms register at start (jobs, what deletes, what finds models) names its function by one, so
that a sign-in or a rating page waits for no statistics and no models; see
`corpus.pages.later_views`.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Later:
    """Stands for a function of a module, by name."""

    module: str
    name: str

    @property
    def function(self) -> Any:
        """The function itself."""
        return getattr(import_module(self.module), self.name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call it."""
        return self.function(*arguments, **named)
