"""Who is first of several, from whom no difference was detected, and who was found to be lower."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.charts.chart import counted, format_interval, format_number
from analysis.estimates.comparisons import LEVEL, PairTests
from analysis.filter.question import Question, number_text
from analysis.reports.summaries import MOST_NAMED, Sentence, anchor, joined, listed, said, some
from analysis.stats.results import Result
from analysis.wording import CORRECTIONS, p_said, p_words


@dataclass(frozen=True)
class Contest:
    """What was compared, and how a sentence speaks of it.

    Parameters
    ----------
    names
        Best first.
    pairs
        Rows of `analysis.estimates.comparisons.family`.
    things
        "metrics" or "systems".
    symbol
        Of the difference, such as "Δr".
    """

    names: Sequence[str]
    pairs: Sequence[PairTests]
    things: str
    symbol: str

    @cached_property
    def detected(self) -> dict[tuple[int, int], PairTests]:
        """The detected differences by (higher, lower)."""
        found = {}
        for pair in self.pairs:
            if pair.detected:
                ends = pair.first, pair.second
                found[ends if pair.difference > 0 else ends[::-1]] = pair
        return found


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


def contest_sentences(contest: Contest, question: Question) -> list[Sentence]:
    """Say which differences were detected, which not, and between whom."""
    decided = [pair for pair in contest.pairs if pair.p_value is not None]
    sentences = []
    if decided:
        sentences += _hopeless(decided, question)
        sentences += _found(contest, question) if contest.detected else [_nothing(contest)]
    if question.margin:
        sentences.append(_equivalent(contest, question))
    undecided = [pair for pair in contest.pairs if pair.p_value is None]
    if undecided:
        reason = undecided[0].tests[question.test].reason
        count = counted(len(undecided), "pair")
        sentences.append(said(f"No test was possible for {count}, because {reason}."))
    return sentences


def with_anchors_of(sentences: Sequence[Sentence], pairs: Sequence[PairTests]) -> list[Sentence]:
    """Return sentences that lead to the rows of these pairs only: others are not on the page."""
    shown = {anchor(pair) for pair in pairs}
    return [
        {
            "parts": [
                part if part["anchor"] in shown else part | {"anchor": ""}
                for part in sentence["parts"]
            ]
        }
        for sentence in sentences
    ]


def smallest_p(result: Result, question: Question) -> float:
    """Return the smallest p-value that a test could have given whatever its data said."""
    facts = result.details
    if "smallest_p" in facts:
        return float(facts["smallest_p"])
    if facts.get("exact") or facts.get("method") in ("enumerated", "sign test"):
        return float(2.0 ** (1 - (result.n - facts.get("zeros", 0))))
    if "draws" in facts or facts.get("method") == "sampled":
        return 1.0 / (int(facts.get("draws", question.resamples)) + 1)
    if "resamples" in facts:
        return 2.0 / (int(facts["resamples"]) + 1)
    return 0.0


def _hopeless(decided: Sequence[PairTests], question: Question) -> list[Sentence]:
    """Say if no data could have led to a detected difference: then nothing follows from none."""
    smallest = min(smallest_p(pair.tests[question.test], question) for pair in decided)
    if question.correction != "holm" or smallest * len(decided) <= LEVEL:
        return []
    return [
        said(
            f"The smallest p that this test can give here is {p_words(smallest)}, "
            f"{p_words(min(1.0, smallest * len(decided)))} after Holm over "
            f"{counted(len(decided), 'pair')}: it could not have detected any difference. "
            "Compare fewer, or choose another test or correction."
        )
    ]


def _nothing(contest: Contest) -> Sentence:
    shown = contest.pairs[:MOST_NAMED] if len(contest.pairs) <= MOST_NAMED else []
    if shown:
        start = "No difference was detected "
        return said(start, *joined([_between(contest, pair) for pair in shown]), ".")
    widest = max(contest.pairs, key=lambda pair: abs(pair.difference))
    return said(
        f"No difference between any two of the {len(contest.names)} {contest.things} was detected; "
        "the largest seen is ",
        _between(contest, widest),
        ".",
    )


def _found(contest: Contest, question: Question) -> list[Sentence]:
    detected = contest.detected
    lower = {below for _, below in detected}
    top = [place for place in range(len(contest.names)) if place not in lower]
    among = [pair for pair in contest.pairs if pair.first in top and pair.second in top]
    sentences = []
    if among:
        shown = [_between(contest, pair) for pair in among[:MOST_NAMED]]
        more = len(among) - len(shown)
        end = f", nor for {counted(more, 'more pair')} of them." if more else "."
        names = some([contest.names[place] for place in top], contest.things)
        sentences.append(
            said(
                f"No other was found to exceed {names}, and no difference was detected ",
                *joined(shown),
                end,
            )
        )
    under_all = [place for place in lower if all((t, place) in detected for t in top)]
    if top and under_all:
        sentences.append(_under_all(contest, top, sorted(under_all), question))
    rest = sorted(lower - set(under_all))
    sentences += [_under_some(contest, place, question) for place in rest[:MOST_NAMED]]
    if len(rest) > MOST_NAMED:
        count = counted(len(rest) - MOST_NAMED, "more is", "more are")
        sentences.append(
            said(f"{count} exceeded by some and not by others: the table of all pairs says which.")
        )
    return sentences


def _under_all(
    contest: Contest, top: Sequence[int], under: Sequence[int], question: Question
) -> Sentence:
    detected = contest.detected
    who = "It exceeds " if len(top) == 1 else "Both exceed " if len(top) == 2 else "All exceed "
    if len(top) == 1:
        who = f"{contest.names[top[0]]} exceeds "
    parts: list[tuple[str, str]] = []
    for place in under[:MOST_NAMED]:
        weakest = max((detected[t, place] for t in top), key=lambda pair: pair.p_value or 0.0)
        sign = "=" if len(top) == 1 else "≤"
        words = f"{contest.names[place]} ({_p(weakest, question, sign)})"
        parts.append((words, anchor(weakest)))
    more = len(under) - len(parts)
    end = f", and {more} more {contest.things}." if more else "."
    return said(who, *joined(parts), end)


def _under_some(contest: Contest, place: int, question: Question) -> Sentence:
    above = [
        (f"{contest.names[high]} ({_p(pair, question)})", anchor(pair))
        for (high, low), pair in contest.detected.items()
        if low == place
    ]
    more = len(above) - MOST_NAMED
    end = f", and {more} more" if more > 0 else ""
    start = f"{contest.names[place]} is exceeded by "
    return said(
        start, *joined(above[:MOST_NAMED]), end, "; from others no difference was detected."
    )


def _equivalent(contest: Contest, question: Question) -> Sentence:
    margin = f"±{number_text(question.margin)}"
    close = [pair for pair in contest.pairs if pair.equivalent]
    if not close:
        words = f"No two {contest.things} were shown to be equivalent within {margin}: "
        return said(words + "no 95 % interval of a difference lies inside.")
    shown = [_between(contest, pair) for pair in close[:MOST_NAMED]]
    more = len(close) - len(shown)
    end = f", and {counted(more, 'more pair')}." if more else "."
    words = f"Equivalent within {margin}, the margin that was stated, are the two "
    return said(words, *joined(shown), end)


def _between(contest: Contest, pair: PairTests) -> tuple[str, str]:
    """Return "between A and B (Δr = …, 95 % CI …, adjusted p = …)" with its anchor."""
    names = f"{contest.names[pair.first]} and {contest.names[pair.second]}"
    numbers = [f"{contest.symbol} = {format_number(pair.difference)}"]
    interval = pair.interval
    if interval:
        limits = format_interval(interval.low, interval.high)
        numbers.append(f"{100 * interval.level:g} % CI {limits}")
    if pair.p_value is not None:
        numbers.append(f"adjusted {p_said(pair.p_value)}")
    return f"between {names} ({', '.join(numbers)})", anchor(pair)


def _p(pair: PairTests, question: Question, sign: str = "=") -> str:
    return f"{p_said(pair.p_value or 0.0, sign)}, {CORRECTIONS[question.correction]}"
