"""Run every attack, or those named, and print what held; ``python -m attack [NAME …]``.

An attack is a module of this package with a function ``replay`` that yields lines. It starts what
it attacks itself, on the loopback address, and leaves nothing behind.
"""

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from typing import Any

import attack
from attack.finding import Line


def attacks() -> dict[str, Callable[[], Iterator[Line]]]:
    """Return what each attack replays, by the name of its module."""
    names = [found.name for found in pkgutil.iter_modules(attack.__path__)]
    modules: list[tuple[str, Any]] = [
        (name, importlib.import_module(f"attack.{name}")) for name in names if name != "__main__"
    ]
    return {name: module.replay for name, module in modules if hasattr(module, "replay")}


def main() -> None:
    """Exit with 1 if a finding is open."""
    known = attacks()
    if unknown := set(sys.argv[1:]) - known.keys():
        raise SystemExit(f"there is no attack {unknown.pop()!r}; there are: {', '.join(known)}")
    held = True
    for name in sys.argv[1:] or known:
        for line in known[name]():
            print(line, flush=True)
            held &= line.held
    raise SystemExit(0 if held else 1)


if __name__ == "__main__":
    main()
