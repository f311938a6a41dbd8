"""What attacks found, kept in attack/outcome.json, and docs/attacks.md, which is written of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from attack.finding import Line
from attack.report import Lines, counts, of_findings, of_held

ROOT = Path(__file__).resolve().parent.parent
OUTCOME = ROOT / "attack" / "outcome.json"
PAGE = ROOT / "docs" / "attacks.md"
HEAD = (
    "# What attacks find\n\n"
    "An early version was attacked from all sides: 25 findings, R1 to R25, were mended, and {held} "
    "things held. `make attack` tries all of them again, on sites of its own, and this page is "
    "what it found last; `python -m attack --write` writes it. What each attack is for is in the "
    "[threat model](threat-model.md).\n\n{counts}\n\n"
    "A row is *held* if all its attacks were repelled. Its last column says what they did and "
    "measured. Times are those of a machine of two cores shared with other work, and say only that "
    "nobody waits without end; counts of lost, doubled and over-rated ratings, of leaks and of "
    "errors do not depend on the machine. An attack that was only too slow is tried a second time, "
    "and its figures say so.\n"
)
WORKS = (
    "\n## How to try it yourself\n\n"
    "- `make attack` runs everything and takes about half an hour; `make attack "
    'ONLY="patterns slow_clients"` runs some, and `.venv/bin/python -m attack --list` names them. '
    "Attacks on PostgreSQL, Redis and in Chromium need these programs; one that cannot run counts "
    "as open.\n"
    "- Each attack runs in a process of its own with a limit of time. One that breaks off is "
    "reported and counts as open; the others go on.\n"
    "- Clients wait ten minutes for an answer. A page counts as too slow only if it took longer "
    "than its limit, and than five times what a harmless request took just before on the same "
    "machine. Files that are uploaded may take a minute of a processor, however long that lasts.\n"
)


def keep(lines: Lines, place: Path = OUTCOME, page: Path = PAGE) -> None:
    """Put what some attacks found in place of what they found before, and write the page."""
    known = kept(place) if place.exists() else {}
    known |= {name: list(each) for name, each in lines.items()}
    content = {name: [asdict(line) for line in known[name]] for name in sorted(known)}
    place.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    page.write_text(written(known), encoding="utf-8")


def kept(place: Path = OUTCOME) -> dict[str, list[Line]]:
    """Return the lines of each attack as they were kept."""
    content = json.loads(place.read_text(encoding="utf-8"))
    return {name: [Line(**line) for line in each] for name, each in content.items()}


def written(lines: Mapping[str, Sequence[Line]]) -> str:
    """Return the page on what attacks found."""
    held = list(of_held(lines))
    page = HEAD.format(held=len(held), counts=counts(lines))
    page += "\n## The findings\n\n| finding | state | attack | what was done and measured |\n"
    page += "| --- | --- | --- | --- |\n"
    for finding, state, what, name, found in of_findings(lines):
        page += f"| **{finding}** {what} | {state} | `{name}` | {_sentences(found)} |\n"
    page += "\n## What held before\n\n| what | state | shown by | what was done and measured |\n"
    page += "| --- | --- | --- | --- |\n"
    told: dict[str, str] = {}
    for state, what, shown_by, found in held:
        path, _, test = shown_by.partition("::")
        shown = f"`{test}` in `{path}`" if test else f"`{shown_by}`"
        # An attack that shows two things is written out once.
        said = f"as for “{told[shown_by]}”" if shown_by in told else _sentences(found)
        told.setdefault(shown_by, what)
        page += f"| {what} | {state} | {shown} | {said} |\n"
    spoken = {name for _, _, _, name, _ in of_findings(lines)} | set(told)
    others = {name: each for name, each in lines.items() if name not in spoken}
    page += "\n## Attacks that came later\n\n| attack | state | what was done and measured |\n"
    page += "| --- | --- | --- |\n"
    for name, found in others.items():
        state = "held" if all(line.state == "held" for line in found) else "OPEN"
        page += f"| `{name}` | {state} | {_sentences(found)} |\n"
    return page + WORKS


def _sentences(lines: Sequence[Line]) -> str:
    """Return what was done and measured, safe in a cell of a table."""
    said = "; ".join(
        f"{'' if line.state == 'held' else 'OPEN: '}{line.what}: {line.figure}" for line in lines
    )
    for sign in "\\`*_<>[]{}|":
        said = said.replace(sign, f"\\{sign}")
    return said
