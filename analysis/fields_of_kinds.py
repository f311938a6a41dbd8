"""Which fields of the filter each kind of report uses; what it does not use, it refuses."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from analysis.narrowing import FILTERS
from analysis.question import CHOICES, Question, QuestionError
from analysis.stats.metric_permutation import SWAP_COEFFICIENTS

RATINGS = ("withdrawn", *FILTERS)
OUTPUTS = ("direction", "systems", "leave_out", "where")
METRICS = ("metric", "compared_to", "text_setting")
TAU_LIKE = ("min_gap", "metric_ties", "average")
DRAWS = ("resamples", "seed")
PLAN = ("goal", "half_width", "power", "panel", "first", "second", "between")

FIELDS: Mapping[str, frozenset[str]] = {
    kind: frozenset(names)
    for kind, names in {
        "agreement": (
            *("aspect", "batch", "humans", *RATINGS, *OUTPUTS, "scores", "ddof"),
            *("resample", "interval", *DRAWS),
        ),
        "raters": ("aspect", *RATINGS, *OUTPUTS, *DRAWS),
        "planning": (
            *("aspect", "humans", *RATINGS, *OUTPUTS, "scores", "ddof"),
            *(*METRICS, "candidates", *PLAN),
        ),
        "correlation": (
            *("aspect", "humans", *RATINGS, *OUTPUTS, *METRICS, "scores", "ddof"),
            *("level", "statistic", "grouping", "orientation", *TAU_LIKE),
            *("resample", "interval", *DRAWS),
        ),
        "subgroups": (
            *("aspect", "humans", *RATINGS, *OUTPUTS, *METRICS, "scores", "ddof"),
            *("level", "statistic", "grouping", "orientation", *TAU_LIKE),
            *("by", "sets", "candidates", *DRAWS),
        ),
        "accuracy": (
            *("aspect", "humans", *RATINGS, *OUTPUTS, *METRICS, "scores", "ddof"),
            *("candidates", *DRAWS),
        ),
        "comparison": (
            *("aspect", "humans", *RATINGS, *OUTPUTS, *METRICS, "scores", "ddof"),
            *("level", "statistic", "grouping", "candidates"),
            *("test", "swap", "resample", "correction", "margin", *DRAWS),
        ),
        "ranking": ("aspect", *RATINGS, *OUTPUTS, "ddof"),
        "system-comparison": (
            *("aspect", "humans", *RATINGS, *OUTPUTS, "scores", "ddof"),
            *("test", "correction", "margin", *DRAWS),
        ),
        "metric-means": (
            *("aspect", "humans", *OUTPUTS, *METRICS, "aggregate", "tested"),
            *("test", "correction", "margin", *DRAWS),
        ),
        "scores": ("aspect", "humans", *OUTPUTS, *METRICS, "level", "statistic"),
        "replication": RATINGS,
    }.items()
}
"""Of every kind of report the fields that change what it says."""
OF_PAGES: Mapping[str, frozenset[str]] = {
    "disagreement": frozenset(
        {"aspect", "humans", *RATINGS, *OUTPUTS, *METRICS, "scores", "ddof", "orientation"}
    ),
    "sweep": frozenset(),
    "style-model": frozenset(),
}
"""Of pages that are no kind of report, but read the filter, the fields that change them."""
_USED = {**FIELDS, **OF_PAGES}
VALUES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("agreement", "interval"): ("standard", "percentile", "bca"),
    ("subgroups", "statistic"): tuple(s for s in CHOICES["statistic"] if s != "kendall-tau-c"),
    ("comparison", "statistic"): SWAP_COEFFICIENTS,
    ("comparison", "test"): ("permutation", "bootstrap", "williams"),
    ("comparison", "resample"): ("standard", "segments", "systems"),
    ("system-comparison", "test"): ("permutation", "wilcoxon"),
    ("metric-means", "test"): ("permutation", "bootstrap"),
    ("scores", "statistic"): ("pearson", "spearman"),
}
"""The values of a field that a kind knows, where these are not all."""
_Z = ("scores", ("z",))
_OF_TAU_LIKE = ("statistic", ("tau-like",))
_OF_METRICS = ("goal", ("correlation", "metrics"))
NEEDS: Mapping[str, Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "agreement": {"ddof": _Z},
    "planning": {
        "ddof": _Z,
        "power": ("goal", ("metrics",)),
        "half_width": ("goal", ("difference", "mean", "correlation")),
        "second": ("goal", ("metrics",)),
        "between": ("goal", ("metrics",)),
        **dict.fromkeys(("first", "candidates", *METRICS), _OF_METRICS),
    },
    "correlation": {"grouping": ("level", ("segment",))},
    "subgroups": {
        "ddof": _Z,
        "grouping": ("level", ("segment",)),
        **dict.fromkeys(TAU_LIKE, _OF_TAU_LIKE),
    },
    "accuracy": {"ddof": _Z},
    "disagreement": {"ddof": _Z},
    "comparison": {"ddof": _Z, "grouping": ("level", ("segment",))},
}
"""Fields that say something only where another field has one of some values, by kind."""
NAMED: Mapping[str, str] = {"humans": "systems", "candidates": "metric"}
"""Fields that say nothing where another one names all that enters, in every kind."""
_OF_PAIRING = frozenset(
    {"aspect", "humans", *FILTERS, *OUTPUTS, *METRICS, "scores", "ddof"}
    | {"level", "statistic", "grouping", "orientation", *TAU_LIKE}
)
FIELDS_OF_VALUES: Mapping[str, frozenset[str]] = {
    "agreement": frozenset(
        {"aspect", "humans", *FILTERS, *OUTPUTS, "scores", "ddof", "resample", "interval"}
    ),
    "system-mean": frozenset({"aspect", *FILTERS, "scores", "ddof"}),
    "correlation": _OF_PAIRING | {"resample", "interval"},
    "margin-of-r": _OF_PAIRING,
    "naturalness-agreement": frozenset({"aspect", "humans", *FILTERS, *OUTPUTS, *METRICS}),
    "mean-of-values": frozenset(FILTERS),
}
"""Of every kind of published value the fields that change it."""
SELECTION = ("aspect", "humans", *RATINGS, *OUTPUTS, *METRICS, "scores", "ddof")
"""What a reader takes along from one report to another: of which part of the study it speaks."""
_DEFAULTS: Mapping[str, Any] = {field.name: field.default for field in fields(Question)}


def check_fields(kind: str, question: Question) -> None:
    """Refuse what a kind of report would not use.

    Raises
    ------
    QuestionError
        If a field differs from its default and the kind does not use it, does not know its value,
        or uses it only beside another one.
    """
    for name in _given(question):
        if reason := _why_not(kind, name, question):
            raise QuestionError(f"{name}={_shown(getattr(question, name))}: {reason}")


def check_some_use(kinds: Sequence[str], question: Question) -> None:
    """Refuse what none of several reports would use.

    Raises
    ------
    QuestionError
    """
    for name in _given(question):
        reasons = [_why_not(kind, name, question) for kind in kinds]
        if all(reasons):
            known = [r for kind, r in zip(kinds, reasons, strict=True) if name in FIELDS[kind]]
            reason = (
                known[0]
                if known
                else (
                    f"no report of the document uses it ({', '.join(kinds)}); "
                    f"these do: {', '.join(kinds_with(name))}"
                )
            )
            raise QuestionError(f"{name}={_shown(getattr(question, name))}: {reason}")


def restricted(kind: str, question: Question) -> Question:
    """Return the question with the defaults for what a kind of report would refuse."""
    kept = question
    # A field that goes may have been what another one needed.
    while unused := [name for name in _given(kept) if _why_not(kind, name, kept)]:
        kept = kept.but(**{name: _DEFAULTS[name] for name in unused})
    return kept


def carried_over(kind: str, question: Question) -> Question:
    """Return what a question on one report's page asks on the page of another kind."""
    others = {name: value for name, value in _DEFAULTS.items() if name not in SELECTION}
    return restricted(kind, question.but(**others))


def kinds_with(name: str) -> tuple[str, ...]:
    """Return the kinds of reports that use a field."""
    return tuple(kind for kind, names in FIELDS.items() if name in names)


def ignored_by_value(what: str, question: Question) -> list[str]:
    """Return the fields of a published value's conditions that have no part in it, as given."""
    unused = [
        name
        for name in _given(question)
        if name not in FIELDS_OF_VALUES[what] or _is_named_over(name, question)
    ]
    return [f"{name}={_shown(getattr(question, name))}" for name in unused]


def _given(question: Question) -> list[str]:
    return [name for name, default in _DEFAULTS.items() if getattr(question, name) != default]


def _why_not(kind: str, name: str, question: Question) -> str:
    report = f"the {kind} {'page' if kind in OF_PAGES else 'report'}"
    if name not in _USED[kind]:
        return f"{report} does not use it; these do: {', '.join(kinds_with(name))}"
    known = VALUES.get((kind, name))
    if known and getattr(question, name) not in known:
        return f"{report} knows {', '.join(known)}"
    if needed := NEEDS.get(kind, {}).get(name):
        other, values = needed
        if getattr(question, other) not in values:
            return f"{report} uses it only with {other}={' or '.join(values)}"
    if _is_named_over(name, question):
        other = NAMED[name]
        return (
            f"{report} does not use it beside {other}={_shown(getattr(question, other))}, "
            "which names all that enter: remove one of the two"
        )
    return ""


def _is_named_over(name: str, question: Question) -> bool:
    return name in NAMED and bool(getattr(question, NAMED[name]))


def _shown(value: Any) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)
