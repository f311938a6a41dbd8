"""Stored results as the number component shows them."""

from collections.abc import Mapping
from typing import Any

from analysis.charts.chart import format_number
from analysis.wording import p_words

_SAID_ELSEWHERE = frozenset({"test", "margin", "missing", "protocol", "formula"})
_DECIMALS = 3


def number(
    result: Mapping[str, Any], *, raw: float | None = None, percent: bool = False
) -> dict[str, Any]:
    """Return a result for `components/number.html`.

    Parameters
    ----------
    result
        What `Estimate.to_dict` or `Undefined.to_dict` wrote.
    raw
        The same statistic of scores that were not oriented.
    percent
        Whether value and interval are shares, to be shown times 100.
    """
    interval = result.get("interval") or {}
    value = result.get("value")
    factor = 100 if percent else 1
    scaled = {
        name: None if part is None else part * factor
        for name, part in (
            ("value", value),
            ("low", interval.get("low")),
            ("high", interval.get("high")),
        )
    }
    turned = raw is not None and value is not None and abs(raw - value) > 1e-12
    without = (result.get("details") or {}).get("leave_one_annotator_out") or {}
    scaled |= {
        name: None if without.get(end) is None else without[end] * factor
        for name, end in (("least", "lowest"), ("most", "highest"))
    }
    return scaled | {
        "reason": result.get("reason", ""),
        "level": _level(interval),
        "n": result["n"],
        "unit": result["unit"],
        "signature": result["signature"],
        "details": _details(result, raw if turned else None),
        "raw": format_number(raw, _DECIMALS) if turned else "",
    }


def _level(interval: Mapping[str, Any]) -> str:
    if not interval:
        return ""
    return f"{interval['level'] * 100:g} % interval, {interval['method']}"


def _details(result: Mapping[str, Any], raw: float | None) -> list[tuple[str, str]]:
    facts = result.get("details") or {}
    value = result.get("value")
    details = []
    if value is not None:
        details.append(("unrounded", f"{value:.10g}"))
    if raw is not None:
        details.append(("raw, not oriented", f"{raw:.10g}"))
    if result.get("p_value") is not None:
        test = facts.get("test")
        details.append((f"p ({test})" if test else "p", p_words(result["p_value"])))
    counts = {name: result.get(name) for name in ("raters", "pairs")}
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
