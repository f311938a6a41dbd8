"""Which steps of a recipe are done: a file beside it, written after each step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from config.benchmark.recipe import RecipeError
from corpus.exports.whole_file import whole_file

VERSION = 1


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
