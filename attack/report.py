"""What a run of attacks says in the end: of each finding, and of each thing that held before."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attack.finding import Line
from attack.record import FINDINGS, HELD

Lines = Mapping[str, Sequence[Line]]


def missing(lines: Lines) -> list[str]:
    """Return the findings of which their attack, though it ran, said nothing."""
    said = {(name, line.finding) for name, each in lines.items() for line in each}
    return [
        finding
        for finding, (_, name) in FINDINGS.items()
        if name in lines and (name, finding) not in said
    ]


def all_held(lines: Lines) -> bool:
    """Return whether nothing is open, and each attack spoke of its findings."""
    return all(line.state == "held" for each in lines.values() for line in each) and not missing(
        lines
    )


def of_findings(lines: Lines) -> Iterator[tuple[str, str, str, str, Sequence[Line]]]:
    """Yield key, state, what it is, attack and lines of each finding."""
    for finding, (what, name) in FINDINGS.items():
        found = [line for each in lines.values() for line in each if line.finding == finding]
        yield finding, _state(found) if name in lines else "not tried", what, name, found


def of_held(lines: Lines) -> Iterator[tuple[str, str, str, Sequence[Line]]]:
    """Yield state, what it is, attack or test, and lines of each thing that held before."""
    for what, shown_by in HELD:
        if "::" in shown_by:
            yield "make test", what, shown_by, ()
        else:
            found = lines.get(shown_by)
            yield "not tried" if found is None else _state(found), what, shown_by, found or ()


def report(lines: Lines) -> Iterator[str]:
    """Say of each finding, and of what held before, how it is now; end with counts."""
    yield "\nFindings:"
    for finding, state, what, name, _ in of_findings(lines):
        yield f"  {finding:<4}{state:<11}{what} ({name})"
    yield "What held before:"
    for state, what, shown_by, _ in of_held(lines):
        yield f"  {state:<15}{what} ({shown_by.rpartition('::')[2]})"
    yield counts(lines)


def counts(lines: Lines) -> str:
    """Return one sentence on how many findings, things and lines held."""
    states = Counter(state for _, state, _, _, _ in of_findings(lines))
    held = Counter(state for state, _, _, _ in of_held(lines))
    by_tests = held.pop("make test", 0)
    every = [line for each in lines.values() for line in each]
    return (
        f"{len(FINDINGS)} findings: {_counts(states)}. {len(HELD)} things that held before: "
        f"{_counts(held)} by attacks, {by_tests} by tests of make test. "
        f"{len(every)} lines of {len(lines)} attacks: "
        f"{sum(line.state != 'held' for line in every)} open."
    )


def _state(lines: Sequence[Line]) -> str:
    return "held" if lines and all(line.state == "held" for line in lines) else "OPEN"


def _counts(states: Counter[str]) -> str:
    return ", ".join(f"{number} {state}" for state, number in sorted(states.items()))
