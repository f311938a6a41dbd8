"""Who is first of several, from whom no difference was detected, and who was found to be lower."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.reports.summaries import MOST_NAMED, Contest, Sentence, listed, said


@dataclass(frozen=True)
class Standing:
    """Several by value, and which of them tests put below the first.

    Parameters
    ----------
    names
        Best first.
    behind
        Places of those that were found to be lower than the first.
    detected
        Whether any two were found to differ.
    things
        "metrics" or "systems".
    """

    names: Sequence[str]
    behind: frozenset[int]
    detected: bool
    things: str

    @property
    def level_with_first(self) -> list[str]:
        """Those from which no difference to the first was detected."""
        return [name for at, name in enumerate(self.names) if at and at not in self.behind]


def standing_in(contest: Contest) -> Standing:
    """Return the standing of those whom tests compared in pairs."""
    behind = frozenset(low for high, low in contest.detected if high == 0)
    return Standing(contest.names, behind, bool(contest.detected), contest.things)


def standing_sentences(
    standing: Standing, *, first: str, lower: str, on: str, last: str = "lowest"
) -> tuple[str, str]:
    """Return the answer in two parts: who is first, and what was detected of the others.

    Parameters
    ----------
    first
        What is said of the first by its value, such as "is rated highest".
    lower
        What is said of those whom tests put below it, such as "rated lower".
    on
        The aspect, with its preposition.
    last
        What the last of all is, where nothing was detected.
    """
    names, things = standing.names, standing.things
    count = len(names)
    if not standing.detected:
        least = f"any two of the {count} {things}" if count > 2 else f"the two {things}"
        return (
            f"No difference between {least} was detected{on}.",
            f"{names[0]} {first}, {names[-1]} {last}.",
        )
    behind = [names[place] for place in sorted(standing.behind)]
    level = standing.level_with_first
    if not level:
        others = f"each of the other {count - 1} {things}" if count > 2 else names[1]
        return f"{names[0]} {first}{on}:", f"{others} {_is(count - 1, each=count > 2)} {lower}."
    found = f"No difference from {_some(level, f'of the other {count - 1} {things}')} was detected"
    if behind:
        found += f"; {_some(behind, 'others')} {_is(len(behind))} {lower}"
    return f"{names[0]} {first}{on}.", f"{found}."


def _is(count: int, *, each: bool = False) -> str:
    return "is" if each or count == 1 else "are"


def _some(names: Sequence[str], things: str) -> str:
    return listed(names) if len(names) <= MOST_NAMED else f"{len(names)} {things}"


def behind_first(pairs: Iterable[tuple[str, str, bool]], names: Sequence[str]) -> frozenset[int]:
    """Return the places of those that a pair (higher, lower, detected) puts below the first."""
    place = {name: at for at, name in enumerate(names)}
    return frozenset(
        place[lower] for higher, lower, detected in pairs if detected and higher == names[0]
    )


def answered(lead: str, rest: str, evidence: list[Sentence], *, is_told: bool) -> list[Sentence]:
    """Return an answer with its evidence, which may tell the lead already."""
    return [*evidence, said(rest)] if is_told and evidence else [said(f"{lead} {rest}"), *evidence]
