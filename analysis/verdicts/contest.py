"""Who is first of several, from whom no difference was detected, and who was found to be lower."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

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
    question
        Names the test that decides, and the correction.
    """

    names: Sequence[str]
    pairs: Sequence[PairTests]
    things: str
    symbol: str
    question: Question = field(default_factory=Question)

    @cached_property
    def detected(self) -> dict[tuple[int, int], PairTests]:
        """The detected differences by (higher, lower)."""
        found = {}
        for pair in self.pairs:
            if pair.detected:
                ends = pair.first, pair.second
                found[ends if pair.difference > 0 else ends[::-1]] = pair
        return found

    @cached_property
    def tested(self) -> list[PairTests]:
        """The pairs that a test could compare."""
        return [pair for pair in self.pairs if pair.p_value is not None]

    @cached_property
    def untested(self) -> list[PairTests]:
        """The pairs that no test could compare: they share too little."""
        return [pair for pair in self.pairs if pair.p_value is None]

    @property
    def reason(self) -> str:
        """Why pairs could not be compared."""
        return self.untested[0].tests[self.question.test].reason if self.untested else ""

    def out_of_reach(self, words: Callable[[float], str]) -> str:
        """Return the smallest possible p-value, as it is and adjusted; empty if one could detect.

        Where no data could have led to a detected difference, nothing follows from none.
        """
        if not self.tested:
            return ""
        asked, pairs = self.question, len(self.tested)
        alone = min(smallest_p(pair.tests[asked.test], asked) for pair in self.tested)
        adjusted = min(1.0, alone * pairs) if asked.correction == "holm" else alone
        if adjusted <= LEVEL:
            return ""
        after = f", {words(adjusted)} after Holm over {counted(pairs, 'pair')}"
        return words(alone) + (after if adjusted > alone else "")

    def sample(self) -> str:
        """Return on how much the tests rest, such as "4 segments"."""
        largest = max((pair.tests[self.question.test] for pair in self.tested), key=lambda r: r.n)
        return counted(largest.n, largest.unit.removesuffix("s"))


Claim = Literal["first", "no difference detected", "none detectable", "not comparable"]


@dataclass(frozen=True)
class Verdict:
    """What tests in pairs allow to say of several.

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
    unlike
        Places of those that no test compares with the first.
    tested, untested
        How many pairs tests compared, and how many they could not.
    reason
        Why not.
    limit
        What the tests could not have detected, whatever the data; empty where they could.
    """

    names: Sequence[str]
    behind: frozenset[int]
    detected: bool
    things: str
    unlike: frozenset[int] = frozenset()
    tested: int = 1
    untested: int = 0
    reason: str = ""
    limit: str = ""

    @property
    def claim(self) -> Claim:
        """The strongest claim that the tests allow."""
        if self.detected:
            return "first"
        if not self.tested:
            return "not comparable"
        return "none detectable" if self.limit else "no difference detected"

    @property
    def level_with_first(self) -> list[str]:
        """Those that tests compared with the first, without a difference detected."""
        apart = self.behind | self.unlike | {0}
        return [name for at, name in enumerate(self.names) if at not in apart]


def verdict_of(contest: Contest) -> Verdict:
    """Return what tests of pairs allow to say."""
    return Verdict(
        contest.names,
        behind=frozenset(low for high, low in contest.detected if high == 0),
        detected=bool(contest.detected),
        things=contest.things,
        unlike=frozenset(
            pair.first + pair.second for pair in contest.untested if 0 in (pair.first, pair.second)
        ),
        tested=len(contest.tested),
        untested=len(contest.untested),
        reason=contest.reason,
        limit=_limit(contest),
    )


def _limit(contest: Contest) -> str:
    smallest = contest.out_of_reach(p_said)
    return (
        f"with {contest.sample()} none could be (smallest possible {smallest})" if smallest else ""
    )


def verdict_words(
    verdict: Verdict, *, first: str, lower: str, on: str, last: str = "lowest"
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
    names, things = verdict.names, verdict.things
    count = len(names)
    ends = f"{names[0]} {first}, {names[-1]} {last}"
    if verdict.claim == "not comparable":
        those = f"The {counted(count, things[:-1])} cannot be compared{on}"
        return f"{those}: {verdict.reason}.", f"By value alone, without a test: {ends}."
    left = _not_compared(verdict)
    if not verdict.detected:
        least = f"any two of the {count} {things}" if count > 2 else f"the two {things}"
        if verdict.untested:
            least = f"{counted(verdict.tested, 'pair')} of {things} that tests could compare"
        limit = f"; {verdict.limit}" if verdict.limit else ""
        return (
            f"No difference between {least} was detected{on}{limit}.",
            f"By value alone, {ends}.{left}",
        )
    behind = [names[place] for place in sorted(verdict.behind)]
    level = verdict.level_with_first
    if not level and not verdict.unlike:
        others = f"Each of the other {count - 1} {things}" if count > 2 else names[1]
        return f"{names[0]} {first}{on}.", f"{others} {_is(count - 1, each=count > 2)} {lower}."
    if not behind:
        on = f"{on} by value"
    found = []
    if level:
        others = _some(level, f"of the other {count - 1} {things}")
        found.append(f"No difference from {others} was detected")
    if behind:
        found.append(f"{_some(behind, 'others')} {_is(len(behind))} {lower}")
    rest = "; ".join(found)
    return f"{names[0]} {first}{on}.", f"{rest}.{left}" if rest else left.strip()


def _not_compared(verdict: Verdict) -> str:
    """Say who cannot be compared with the first, or how many pairs cannot."""
    if not verdict.untested:
        return ""
    if verdict.unlike and verdict.detected:
        names = [verdict.names[place] for place in sorted(verdict.unlike)]
        with_first = f"with {_some(names, f'other {verdict.things}')}"
        return f" {verdict.names[0]} cannot be compared {with_first}: {verdict.reason}."
    return f" {counted(verdict.untested, 'pair')} could not be compared: {verdict.reason}."


def _is(count: int, *, each: bool = False) -> str:
    return "is" if each or count == 1 else "are"


def _some(names: Sequence[str], things: str) -> str:
    return listed(names) if len(names) <= MOST_NAMED else f"{len(names)} {things}"


def answered(lead: str, rest: str, evidence: list[Sentence], *, is_told: bool) -> list[Sentence]:
    """Return an answer with its evidence, which may tell the lead already."""
    return [*evidence, said(rest)] if is_told and evidence else [said(f"{lead} {rest}"), *evidence]


def contest_sentences(contest: Contest) -> list[Sentence]:
    """Say which differences were detected, which not, and between whom."""
    sentences = []
    if contest.tested:
        sentences += _hopeless(contest)
        sentences += _found(contest) if contest.detected else [_nothing(contest)]
    if contest.question.margin:
        sentences.append(_equivalent(contest))
    if contest.untested:
        sentences.append(_impossible(contest))
    return sentences


def _impossible(contest: Contest) -> Sentence:
    """Name the pairs that no test could compare, the first of them, and why."""
    shown = [
        (f"{contest.names[pair.first]} and {contest.names[pair.second]}", anchor(pair))
        for pair in contest.untested[:MOST_NAMED]
    ]
    more = len(contest.untested) - len(shown)
    end = f", and {counted(more, 'more pair')}" if more else ""
    return said("These cannot be compared: ", *joined(shown), f"{end}: {contest.reason}.")


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


def _hopeless(contest: Contest) -> list[Sentence]:
    """Say if no data could have led to a detected difference."""
    smallest = contest.out_of_reach(p_words)
    if not smallest:
        return []
    return [
        said(
            f"The smallest p that this test can give here is {smallest}: it could not have "
            "detected any difference. Compare fewer, or choose another test or correction."
        )
    ]


def _nothing(contest: Contest) -> Sentence:
    pairs = contest.tested
    if len(pairs) <= MOST_NAMED:
        shown = [_between(contest, pair) for pair in pairs]
        return said("No difference was detected ", *joined(shown), ".")
    widest = max(pairs, key=lambda pair: abs(pair.difference))
    among = f"any two of the {len(contest.names)} {contest.things}"
    if contest.untested:
        among = f"{len(pairs):,} pairs of {contest.things}"
    return said(
        f"No difference between {among} was detected; the largest seen is ",
        _between(contest, widest),
        ".",
    )


def _found(contest: Contest) -> list[Sentence]:
    detected = contest.detected
    lower = {below for _, below in detected}
    compared = {place for pair in contest.tested for place in (pair.first, pair.second)}
    top = sorted(compared - lower)
    among = [pair for pair in contest.tested if pair.first in top and pair.second in top]
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
        sentences.append(_under_all(contest, top, sorted(under_all)))
    rest = sorted(lower - set(under_all))
    sentences += [_under_some(contest, place) for place in rest[:MOST_NAMED]]
    if len(rest) > MOST_NAMED:
        count = counted(len(rest) - MOST_NAMED, "more is", "more are")
        sentences.append(
            said(f"{count} exceeded by some and not by others: the table of all pairs says which.")
        )
    return sentences


def _under_all(contest: Contest, top: Sequence[int], under: Sequence[int]) -> Sentence:
    detected = contest.detected
    who = "It exceeds " if len(top) == 1 else "Both exceed " if len(top) == 2 else "All exceed "
    if len(top) == 1:
        who = f"{contest.names[top[0]]} exceeds "
    parts: list[tuple[str, str]] = []
    for place in under[:MOST_NAMED]:
        weakest = max((detected[t, place] for t in top), key=lambda pair: pair.p_value or 0.0)
        sign = "=" if len(top) == 1 else "≤"
        words = f"{contest.names[place]} ({_p(contest, weakest, sign)})"
        parts.append((words, anchor(weakest)))
    more = len(under) - len(parts)
    end = f", and {more} more {contest.things}." if more else "."
    return said(who, *joined(parts), end)


def _under_some(contest: Contest, place: int) -> Sentence:
    above = [
        (f"{contest.names[high]} ({_p(contest, pair)})", anchor(pair))
        for (high, low), pair in contest.detected.items()
        if low == place
    ]
    more = len(above) - MOST_NAMED
    end = f", and {more} more" if more > 0 else ""
    start = f"{contest.names[place]} is exceeded by "
    return said(
        start, *joined(above[:MOST_NAMED]), end, "; from others no difference was detected."
    )


def _equivalent(contest: Contest) -> Sentence:
    margin = f"±{number_text(contest.question.margin)}"
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


def _p(contest: Contest, pair: PairTests, sign: str = "=") -> str:
    return f"{p_said(pair.p_value or 0.0, sign)}, {CORRECTIONS[contest.question.correction]}"
