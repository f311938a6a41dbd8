"""Whether higher or lower is better, said once for all metrics of a table."""

from collections import Counter
from collections.abc import Iterable

from analysis.charts.chart import sentence
from analysis.reports.summaries import listed

BETTER = {
    "higher": "higher is better",
    "lower": "lower is better",
    "target": "nearer a target value is better",
    "descriptive": "neither higher nor lower is better",
    "unknown": "not declared whether higher or lower is better",
}


def better_sides(sides: Iterable[tuple[str, str]]) -> str:
    """Return one sentence for named metrics; those that differ from most are named.

    Examples
    --------
    >>> better_sides([("BLEU", "higher is better"), ("chrF", "higher is better")])
    'Higher is better.'
    >>> better_sides([("BLEU", "higher is better"), ("TER", "lower is better")])
    'Higher is better, except for TER (lower is better).'
    """
    found = list(dict.fromkeys(sides))
    if not found:
        return ""
    [(most, _), *_] = Counter(words for _, words in found).most_common(1)
    others: dict[str, list[str]] = {}
    for name, words in found:
        if words != most:
            others.setdefault(words, []).append(name)
    parts = [f"{listed(names)} ({words})" for words, names in others.items()]
    exceptions = f", except for {listed(parts)}" if parts else ""
    return f"{sentence(most)}{exceptions}."
