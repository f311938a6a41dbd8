"""Which side of metrics is better, said once for all metrics of a table."""

from collections import Counter
from collections.abc import Iterable

from analysis.charts.chart import sentence
from analysis.reports.summaries import listed


def better_sides(sides: Iterable[tuple[str, str]]) -> str:
    """Return one sentence on the better side of named metrics; those unlike most are named.

    Examples
    --------
    >>> better_sides([("BLEU", "higher is better"), ("chrF", "higher is better")])
    'Higher is better.'
    >>> better_sides([("BLEU", "higher is better"), ("TER", "lower is better")])
    'Higher is better, but for TER: lower is better.'
    """
    found = list(dict.fromkeys(sides))
    if not found:
        return ""
    [(most, _), *_] = Counter(words for _, words in found).most_common(1)
    others: dict[str, list[str]] = {}
    for name, words in found:
        if words != most:
            others.setdefault(words, []).append(name)
    parts = [f"for {listed(names)}: {words}" for words, names in others.items()]
    return f"{sentence(most)}{', but ' if parts else ''}{'; '.join(parts)}."
