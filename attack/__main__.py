"""Run every attack, or those named, and print what held; ``python -m attack [NAME …]``.

An attack is a module of this package with a function ``replay`` that yields lines. It starts what
it attacks itself, on the loopback address, and leaves nothing behind.
"""

import importlib
import sys

ATTACKS = (
    *("server_files", "digits", "storage"),
    *("slow_clients", "large_bodies", "two_owners", "full_queue", "left_behind"),
    *("ended_access", "guessing"),
    "ended_leases",
)


def main() -> None:
    held = True
    for name in sys.argv[1:] or ATTACKS:
        if name not in ATTACKS:
            raise SystemExit(f"there is no attack {name!r}; there are: {', '.join(ATTACKS)}")
        for line in importlib.import_module(f"attack.{name}").replay():
            print(line, flush=True)
            held &= line.held
    raise SystemExit(0 if held else 1)


if __name__ == "__main__":
    main()
