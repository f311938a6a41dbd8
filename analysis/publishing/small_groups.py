"""Groups of raters that are so small that their answers could lead to one person.

Pure: this module imports no Django.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

SMALLEST = 5


class SmallGroup(NamedTuple):
    """Raters that have something in common, and how many they are."""

    words: str
    raters: int


def small_groups(
    campaign: str, raters: Sequence[Mapping[str, str]], smallest: int = SMALLEST
) -> Iterator[SmallGroup]:
    """Yield the groups of a campaign's raters with fewer than `smallest` members.

    Parameters
    ----------
    raters
        What is published of each rater: question to answer; empty where nothing is.
    smallest
        Groups of this size are large enough.

    Examples
    --------
    >>> list(small_groups("c", [{"age": "30"}] * 5 + [{"age": "70"}]))
    [SmallGroup(words='campaign c, age: 70', raters=1)]
    """
    if 0 < len(raters) < smallest:
        yield SmallGroup(f"campaign {campaign}", len(raters))
    questions = sorted({question for rater in raters for question in rater})
    for question in questions:
        counts = Counter(rater[question] for rater in raters if question in rater)
        for answer, count in sorted(counts.items()):
            if count < min(smallest, len(raters)):
                yield SmallGroup(f"campaign {campaign}, {question}: {answer}", count)
    if len(questions) > 1:
        cells = Counter(tuple(rater.get(name, "") for name in questions) for rater in raters)
        for answers, count in sorted(cells.items()):
            if count == 1:
                named = "; ".join(
                    f"{name}: {answer}" for name, answer in zip(questions, answers, strict=True)
                )
                yield SmallGroup(f"campaign {campaign}, all answers together ({named})", 1)
