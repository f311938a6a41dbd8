"""Which fields of the filter each kind of report uses; what it does not use, it refuses."""

from collections.abc import Mapping, Sequence

from django.conf import settings

from analysis.filter.question import (
    DEFAULTS,
    METRICS,
    NAMED,
    OF_Z,
    OUTPUTS,
    RATINGS,
    Question,
    QuestionError,
)
from analysis.reports.catalogue import KINDS, report_kind

SELECTION = ("aspect", "level", "humans", *RATINGS, *OUTPUTS, *METRICS, "scores", "ddof")
"""What a reader takes along from one report to another: of which part of the study it speaks."""
OF_STUDY = ("aspect", "level", "metric")
"""What is chosen once for a study, above Findings."""
OF_PAGES: Mapping[str, frozenset[str]] = {
    "disagreement": frozenset({*SELECTION, "orientation"}) - {"level"},
    "reports": frozenset(OF_STUDY),
    "study": frozenset(OF_STUDY),
    "sweep": frozenset(),
    "style-model": frozenset(),
}
"""Of pages that are no kind of report, but read the filter, the fields that change them."""
NEEDS_OF_PAGES: Mapping[str, Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "disagreement": {"ddof": OF_Z}
}
"""Of these pages the fields that say something only where another one has some value."""


def check_fields(kind: str, question: Question) -> None:
    """Refuse what a kind of report would not use.

    Raises
    ------
    QuestionError
        If a field differs from its default and the kind does not use it, does not know its value,
        or uses it only beside another one.
    """
    for name in question.given():
        if reason := _why_not(kind, name, question):
            raise QuestionError(f"{name}={question.text_of(name)}: {reason}")


def check_some_use(kinds: Sequence[str], question: Question) -> None:
    """Refuse what none of several reports would use.

    Raises
    ------
    QuestionError
    """
    for name in question.given():
        reasons = [_why_not(kind, name, question) for kind in kinds]
        if all(reasons):
            known = [r for kind, r in zip(kinds, reasons, strict=True) if name in fields_of(kind)]
            reason = (
                known[0]
                if known
                else (
                    f"no report of the document uses it ({', '.join(kinds)}); "
                    f"these do: {', '.join(kinds_with(name))}"
                )
            )
            raise QuestionError(f"{name}={question.text_of(name)}: {reason}")


def restricted(kind: str, question: Question) -> Question:
    """Return the question with the defaults for what a kind of report would refuse."""
    kept = question
    # A field that goes may have been what another one needed.
    while unused := [name for name in kept.given() if _why_not(kind, name, kept)]:
        kept = kept.but(**{name: DEFAULTS[name] for name in unused})
    return kept


def carried_over(kind: str, question: Question) -> Question:
    """Return what a question on one report's page asks on the page of another kind."""
    others = {name: value for name, value in DEFAULTS.items() if name not in SELECTION}
    return restricted(kind, question.but(**others))


def kinds_with(name: str) -> tuple[str, ...]:
    """Return the kinds of reports that use a field."""
    return tuple(kind for kind in KINDS if name in fields_of(kind))


def fields_of(kind: str) -> frozenset[str]:
    """Return the fields that change what a report, or another page that reads the filter, says."""
    return OF_PAGES[kind] if kind in OF_PAGES else report_kind(kind).uses


def needs_of(kind: str) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """Return fields that say something only where another one has one of some values."""
    return NEEDS_OF_PAGES.get(kind, {}) if kind in OF_PAGES else report_kind(kind).needs


def _values_of(kind: str) -> Mapping[str, tuple[str, ...]]:
    return {} if kind in OF_PAGES else report_kind(kind).values


def _why_not(kind: str, name: str, question: Question) -> str:
    report = f"the {kind} {'page' if kind in OF_PAGES else 'report'}"
    if name not in fields_of(kind):
        return f"{report} does not use it; these do: {', '.join(kinds_with(name))}"
    known = _values_of(kind).get(name)
    if known and getattr(question, name) not in known:
        return f"{report} knows {', '.join(known)}"
    if needed := needs_of(kind).get(name):
        other, values = needed
        if getattr(question, other) not in values:
            return f"{report} uses it only with {other}={' or '.join(values)}"
    if question.is_named_over(name):
        other = NAMED[name]
        return (
            f"{report} does not use it together with {other}={question.text_of(other)}, "
            "which names all that are included: remove one of the two"
        )
    return ""


def check_asked(kind: str, question: Question) -> None:
    """Refuse what a kind of report would not use, and more draws than this site computes.

    Raises
    ------
    analysis.filter.question.QuestionError
    """
    check_fields(kind, question)
    most = settings.RESAMPLES_LIMIT
    if question.resamples > most:
        raise QuestionError(
            f"resamples={question.resamples}: this site computes at most {most} draws; ask for "
            "fewer, or ask its administrator to raise RESAMPLES_LIMIT"
        )
