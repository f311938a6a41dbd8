"""Run every attack, or those named, and print what held; ``python -m attack [NAME …]``.

``--list`` names the attacks, ``--write`` keeps what they found in attack/outcome.json and writes
docs/attacks.md of it. An attack is a module of this package with a function ``replay`` that yields
lines. It starts what it attacks itself, on the loopback address, and leaves nothing behind.
"""

import argparse
import signal
import time

from attack.finding import Line
from attack.isolated import LONGEST, Try, attacks, tried
from attack.outcome import keep
from attack.report import all_held, report


def main() -> None:
    """Exit with 1 if a finding is open, or was not replayed by the attack that should."""
    known = attacks()
    parser = argparse.ArgumentParser(prog="python -m attack", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="name the attacks and do nothing")
    parser.add_argument("--write", action="store_true", help="write docs/attacks.md")
    asked = parser.parse_args()
    if asked.list:
        width = max(map(len, known))
        for name, module in known.items():
            print(f"{name:<{width}}  {(module.__doc__ or '').splitlines()[0]}")
        return
    if unknown := set(asked.names) - known.keys():
        raise SystemExit(f"there is no attack {unknown.pop()!r}; there are: {', '.join(known)}")
    # Ended from outside, this ends the attack that runs, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    lines, begun = {}, time.monotonic()
    names = asked.names or list(known)
    for number, name in enumerate(names, 1):
        print(f"[{number}/{len(names)}] {name}", flush=True)
        since = time.monotonic()
        lines[name] = found_by(f"attack.{name}")
        if asked.write:
            keep({name: lines[name]})
        now = time.monotonic()
        print(f"      {now - since:.0f} s, {(now - begun) / 60:.1f} min in all", flush=True)
    print("\n".join(report(lines)))
    print(f"It took {(time.monotonic() - begun) / 60:.0f} min.")
    raise SystemExit(0 if all_held(lines) else 1)


def found_by(module: str, longest: float = LONGEST) -> list[Line]:
    """Run an attack, and once more if nothing but time spoke against it; print each line."""
    first = _printed(module, longest)
    if not first.again:
        return first.lines
    print("      too slow; tried a second time", flush=True)
    return settled(first, _printed(module, longest))


def settled(first: Try, second: Try) -> list[Line]:
    """Return the lines of the second try, with what the first found open but for time.

    A line that is slow twice is open. One that was open by what it found stays open, whatever a
    second try says.
    """
    kept = [line for line in first.lines if line.state == "OPEN"]
    if first.waited:
        kept = kept[:-1]
    again = [
        Line(line.finding, line.what, f"{line.figure} (second try)", line.state == "held")
        for line in second.lines
    ]
    return kept + again


def _printed(module: str, longest: float) -> Try:
    shown = 0
    for found in tried(module, longest):
        for line in found.lines[shown:]:
            print(line, flush=True)
        shown = len(found.lines)
    return found


if __name__ == "__main__":
    main()
