"""Results as the number component shows them."""

from collections.abc import Mapping
from typing import Any

from analysis.charts.chart import format_number
from analysis.stats.results import Result
from analysis.wording import p_words

_SAID_ELSEWHERE = frozenset({"test", "margin", "missing", "protocol", "formula"})
_DECIMALS = 3


def number(result: Result, *, raw: float | None = None, percent: bool = False) -> dict[str, Any]:
    """Return a result for `components/number.html`.

    Parameters
    ----------
    result
    raw
        The same statistic of scores that were not oriented.
    percent
        Whether value and interval are shares, to be shown times 100.
    """
    value, interval = result.value, result.interval
    without = result.details.get("leave_one_annotator_out") or {}
    shown = {
        "value": value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "least": without.get("lowest"),
        "most": without.get("highest"),
    }
    factor = 100 if percent else 1
    turned = raw is not None and value is not None and abs(raw - value) > 1e-12
    return {name: None if part is None else part * factor for name, part in shown.items()} | {
        "reason": result.reason,
        "level": f"{interval.level * 100:g} % interval, {interval.method}" if interval else "",
        "n": result.n,
        "p_value": result.p_value,
        "unit": result.unit,
        "signature": result.signature,
        "details": _details(result, raw if turned else None),
        "raw": format_number(raw, _DECIMALS) if turned else "",
    }


def _details(result: Result, raw: float | None) -> list[tuple[str, str]]:
    facts = result.details
    details = []
    if result.value is not None:
        details.append(("unrounded", f"{result.value:.10g}"))
    if raw is not None:
        details.append(("raw, not oriented", f"{raw:.10g}"))
    if result.p_value is not None:
        test = facts.get("test")
        details.append((f"p ({test})" if test else "p", p_words(result.p_value)))
    counts = {"raters": result.raters, "pairs": result.pairs}
    counts["missing"] = facts.get("missing") or None
    details += [(name, f"{count:,}") for name, count in counts.items() if count is not None]
    details += [
        (str(name).replace("_", " "), _fact(fact))
        for name, fact in facts.items()
        if name not in _SAID_ELSEWHERE
    ]
    return details


def _fact(fact: Any) -> str:
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, float):
        return f"{fact:.6g}"
    if isinstance(fact, int):
        return f"{fact:,}"
    if isinstance(fact, list | tuple):
        return ", ".join(_fact(part) for part in fact)
    if isinstance(fact, Mapping):
        return "; ".join(f"{name}: {_fact(part)}" for name, part in fact.items())
    return "–" if fact is None else str(fact)
