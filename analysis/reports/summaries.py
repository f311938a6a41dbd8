"""Sentences at the top of a report, made from its results by rules; they say no more than tests do.

A sentence is a list of parts, each with the anchor of the row that holds its numbers, or none.
Nothing here ranks what no test told apart, and "equivalent" needs a margin that was stated.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.charts.chart import counted, format_interval, format_number
from analysis.estimates.comparisons import LEVEL, PairTests
from analysis.filter.question import Question, number_text
from analysis.stats.results import Result
from analysis.wording import CORRECTIONS, p_said, p_words

Sentence = dict[str, Any]
"""Its parts, each a text with an anchor; in a report on several aspects, the aspect too."""
MOST_NAMED = 4


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


def said(*parts: str | tuple[str, str]) -> Sentence:
    """Make a sentence of texts, and of texts with the anchor of their numbers."""
    whole = [(part, "") if isinstance(part, str) else part for part in parts]
    return {"parts": [{"text": text, "anchor": anchor} for text, anchor in whole]}


def pointing(before: str, text: str, kind: str, after: str = ".") -> Sentence:
    """Make a sentence that leads, within it, to another kind of report on the same question."""
    whole = said(before, text, after)
    whole["parts"][1]["report"] = f"study-{kind}"
    return whole


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


def anchor(pair: PairTests) -> str:
    """Return the element id of a pair's row."""
    return f"pair-{pair.first}-{pair.second}"


def listed(names: Sequence[str]) -> str:
    """Join names for a sentence.

    Examples
    --------
    >>> listed(["A"]), listed(["A", "B", "C"])
    ('A', 'A, B and C')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def digits(value: float) -> str:
    """Return a mean or a score with about three digits.

    Examples
    --------
    >>> digits(82.573), digits(3.456), digits(1234.5)
    ('82.6', '3.46', '1,234')
    """
    if abs(value) >= 100:
        return f"{value:,.0f}".replace("-", "−")
    return format_number(value, min(2, decimals_of([value])))


def decimals_of(values: Iterable[float | None]) -> int:
    """Return how many decimals give means or scores of a column about three digits.

    Examples
    --------
    >>> decimals_of([82.573, 3.2]), decimals_of([4.2, None]), decimals_of([-0.31])
    (1, 2, 3)
    """
    most = max((abs(value) for value in values if value is not None), default=0.0)
    return 1 if most >= 10 else 2 if most > 1 else 3


def aspect_words(aspect: str) -> str:
    """Return an aspect as it is named within a sentence."""
    return aspect.replace("_", " ")


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


def some(names: Sequence[str], things: str) -> str:
    """Join the first names for a sentence, and say how many more there are."""
    if len(names) <= MOST_NAMED:
        return listed(names)
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more {things}"


def joined(parts: Sequence[tuple[str, str]]) -> list[str | tuple[str, str]]:
    """Put commas and a final "and" between parts."""
    joined: list[str | tuple[str, str]] = []
    for index, part in enumerate(parts):
        if index:
            joined.append(" and " if index == len(parts) - 1 else ", ")
        joined.append(part)
    return joined


def list_of(found: Sequence[tuple[str, str]]) -> list[str | tuple[str, str]]:
    """Return the end of a sentence: what it counted, the first by name; a full stop if nothing."""
    if not found:
        return ["."]
    more = len(found) - MOST_NAMED
    return [": ", *joined(found[:MOST_NAMED]), f", and {more} more." if more > 0 else "."]
