"""One step of a benchmark: what it makes, and the file that says which are done."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from config.benchmark.recipe import RecipeError, leaves
from corpus.exports.whole_file import whole_file
from corpus.progress import ProgressCallback

VERSION = 1
LONGEST_WORDS = 100


class Ledger:
    """The steps that are done, and the recipe with which they were.

    Parameters
    ----------
    path
        Of the file; it need not exist.

    Raises
    ------
    RecipeError
        If it exists and is something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.recipe: Mapping[str, Any] | None = None
        self.done: dict[str, dict[str, Any]] = {}
        if path.is_file():
            try:
                content = json.loads(path.read_text(encoding="utf-8"))
                self.recipe, self.done = content["recipe"], content["done"]
            except (ValueError, KeyError, TypeError):
                raise RecipeError(
                    f"{path} is no list of done steps; delete it, and what is there already is "
                    "found, not made again"
                ) from None

    def result(self, step: str, facts: Any) -> str | None:
        """Return what came of a step with these facts; None if it is not done with them."""
        found = self.done.get(step)
        return found["result"] if found and found["facts"] == digest(facts) else None

    def keep(self, recipe: Mapping[str, Any], step: str, facts: Any, result: str) -> None:
        """Note that a step is done."""
        self.done[step] = {"facts": digest(facts), "result": result}
        self.save(recipe)

    def save(self, recipe: Mapping[str, Any]) -> None:
        """Write the file, whole or not at all."""
        self.recipe = recipe
        content = {"version": VERSION, "recipe": recipe, "done": self.done}
        with whole_file(self.path) as unfinished:
            unfinished.write_text(
                json.dumps(content, ensure_ascii=False, indent=2, default=str) + "\n",
                encoding="utf-8",
            )


def digest(facts: Any) -> str:
    """Return a hash of facts that JSON can hold."""
    written = json.dumps(facts, sort_keys=True, ensure_ascii=False, default=str)
    return sha256(written.encode()).hexdigest()


class StepError(Exception):
    """A step that could not be done; the message says why."""


@dataclass(frozen=True)
class Step:
    """One thing to be made.

    Attributes
    ----------
    name
        What is made, for people and for the ledger.
    facts
        All that decides whether what was made before is still what is wanted.
    run
        Makes it and returns in words what came of it.
    """

    name: str
    facts: Callable[[], Any]
    run: Callable[[ProgressCallback], str]


def named(what: str, row: Mapping[str, Any], *said: str) -> str:
    """Return the name of a step: what it makes, and what its row says beyond the keys in `said`.

    Examples
    --------
    >>> named("metric chrf", {"metric": "chrf", "against": "references"}, "metric")
    'metric chrf (against = references)'
    """
    others = {name: value for name, value in row.items() if name not in said}
    words = ", ".join(f"{place} = {value}" for place, value in leaves(others))
    if len(words) > LONGEST_WORDS:
        words = f"{words[:LONGEST_WORDS]}… {digest(others)[:6]}"
    return f"{what} ({words})" if words else what
