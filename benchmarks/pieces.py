"""Long computations in pieces, finished ones kept in a file to be taken up again."""

import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, as_completed
from pathlib import Path
from typing import Any, TypeAlias

Work: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]


class Pieces:
    """Results by name.

    Parameters
    ----------
    path : Path, optional
        File of one JSON object a line; what it holds is not computed again. Delete it when what it
        was computed with changes. None: nothing is kept.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.results: dict[str, Any] = {}
        if path and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                piece = json.loads(line)
                self.results[piece["name"]] = piece["result"]

    def compute(self, pool: Executor, work: Mapping[str, Work]) -> None:
        """Compute the pieces that are not there yet, keep each when it is done, say how far."""
        missing = {name: piece for name, piece in work.items() if name not in self.results}
        started = time.perf_counter()
        futures = {
            pool.submit(function, *arguments): name
            for name, (function, arguments) in missing.items()
        }
        for done, future in enumerate(as_completed(futures), start=1):
            name = futures[future]
            self.results[name] = future.result()
            if self.path:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"name": name, "result": self.results[name]}) + "\n")
            seconds = time.perf_counter() - started
            print(f"{done:5,} of {len(missing):,} pieces, {seconds:,.0f} s", end="\r", flush=True)
        if missing:
            print()
