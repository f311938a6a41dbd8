"""The answer of the system comparison: who is rated highest, and who was found to be lower."""

from collections.abc import Iterator

from analysis.estimates.comparisons import LEVEL
from analysis.filter.question import Question
from analysis.reports.summaries import Sentence, aspect_words, listed, said, some
from analysis.reports.system_comparison.report import SystemComparisonReport
from analysis.reports.system_comparison.strengths import Strengths
from analysis.verdicts.contest import (
    Contest,
    Verdict,
    answered,
    contest_sentences,
    verdict_of,
    verdict_words,
    with_anchors_of,
)


def system_sentences(content: SystemComparisonReport, question: Question) -> list[Sentence]:
    """Say who is rated highest or preferred most, what tests detected, and between whom."""
    return [*_by_means(content, question), *_by_votes(content)]


def means_contest(content: SystemComparisonReport, question: Question) -> Contest:
    """Return what was compared by means of human scores."""
    names = [entry.system for entry in content.systems]
    return Contest(names, list(content.all_pairs), "systems", "Δ of means", question)


def means_answer(verdict: Verdict, aspect: str) -> tuple[str, str]:
    """Return who is rated highest, and what was detected of the others."""
    on = f" on {aspect_words(aspect)}"
    return verdict_words(verdict, first="is rated highest", lower="rated lower", on=on)


def votes_verdict(fit: Strengths) -> Verdict:
    """Return who is preferred most, and who was found to be preferred less."""
    names = [entry.system for entry in fit.systems]
    detected = [(pair.first, pair.second) for pair in fit.all_pairs if pair.holm <= LEVEL]
    behind = frozenset(names.index(low) for high, low in detected if high == names[0])
    return Verdict(names, behind, bool(detected), "systems")


def votes_answer(verdict: Verdict, aspect: str) -> tuple[str, str]:
    """Return who is preferred most, and what was detected of the others."""
    on = f" on {aspect_words(aspect)}"
    return verdict_words(verdict, first="is preferred most", lower="preferred less", on=on)


def without_strength(fit: Strengths) -> str:
    """Say which systems were judged and have no finite strength, and why; empty where all have."""
    reasons = [f"{some(names, 'systems')} ({why})" for why, names in fit.without]
    return f" Without a finite strength, and not ranked here: {listed(reasons)}." if reasons else ""


def _by_means(content: SystemComparisonReport, question: Question) -> list[Sentence]:
    if len(content.systems) < 2:
        return []
    contest = means_contest(content, question)
    evidence = with_anchors_of(contest_sentences(contest), content.pairs)
    lead, rest = means_answer(verdict_of(contest), content.aspect)
    return answered(lead, rest, evidence, is_told=not contest.detected)


def _by_votes(content: SystemComparisonReport) -> Iterator[Sentence]:
    for fit in content.strengths:
        if len(fit.systems) > 1:
            lead, rest = votes_answer(votes_verdict(fit), fit.aspect)
            without = without_strength(fit)
            yield said(f"By comparisons of two outputs: {lead} {rest}{without}")
