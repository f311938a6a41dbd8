"""Verdicts on several that tests compare in pairs: no claim is stronger than its test."""

import itertools

import pytest

from analysis.estimates.comparisons import Compared, family
from analysis.filter.question import Question
from analysis.reports.correlation.summary import smallest_detectable
from analysis.stats.results import Estimate, Undefined
from analysis.verdicts.contest import Contest, contest_sentences, verdict_of, verdict_words

NO_COMMON = "they share no output"


def contest(names, p_values, n=40):
    """Compare systems in their order; a p-value of None is a pair that no test could compare."""
    pairs = []
    for (i, j), p in zip(itertools.combinations(range(len(names)), 2), p_values, strict=True):
        result = Undefined(NO_COMMON)
        if p is not None:
            details = {"exact": True}
            result = Estimate(0.1 * (j - i), n, "segments", "s", p_value=p, details=details)
        pairs.append(Compared(i, j, {"permutation": result}))
    values = [-float(place) for place in range(len(names))]
    tested, ranges = family(pairs, values, Question())
    return Contest(names, tested, "systems", "Δ"), ranges


def words(found):
    said = verdict_words(verdict_of(found), first="is rated highest", lower="rated lower", on="")
    evidence = ["".join(p["text"] for p in s["parts"]) for s in contest_sentences(found)]
    return " ".join(said), " ".join(evidence)


def test_what_no_data_could_have_detected_is_not_called_undetected_alone():
    found, _ = contest("ABC", [0.125] * 3, n=4)
    assert verdict_of(found).claim == "none detectable"
    lead, _ = words(found)
    assert lead == (
        "No difference between any two of the 3 systems was detected; with 4 segments none could "
        "be (smallest possible p = .125, p = .375 after Holm over 3 pairs). By value alone, A is "
        "rated highest, C lowest."
    )


def test_two_that_share_nothing_cannot_be_compared_and_have_no_rank():
    found, ranges = contest("AB", [None])
    assert verdict_of(found).claim == "not comparable"
    lead, evidence = words(found)
    assert lead.startswith(f"The 2 systems cannot be compared: {NO_COMMON}.")
    assert "No difference" not in lead + evidence
    assert evidence == f"These cannot be compared: A and B: {NO_COMMON}."
    assert [(each.best, each.cluster) for each in ranges] == [(None, None)] * 2


def test_one_that_shares_nothing_with_the_others_is_left_out_of_their_ranks():
    found, ranges = contest("ABC", [0.001, None, None])
    lead, evidence = words(found)
    assert lead == (
        f"A is rated highest. B is rated lower. A cannot be compared with C: {NO_COMMON}."
    )
    assert "between A and C" not in evidence
    assert [(e.best, e.worst, e.cluster) for e in ranges] == [(1, 1, 1), (2, 2, 2), (None,) * 3]


def test_pairs_without_a_test_are_counted_beside_those_without_a_difference():
    lead, evidence = words(contest("ABC", [0.9, None, 0.8])[0])
    assert lead == (
        "No difference between 2 pairs of systems that tests could compare was detected. By "
        f"value alone, A is rated highest, C lowest. 1 pair could not be compared: {NO_COMMON}."
    )
    assert "between A and C" not in evidence


@pytest.mark.parametrize(("systems", "metrics", "least"), [(5, 5, 0.959), (12, 1, 0.576)])
def test_the_least_correlation_that_could_be_detected_is_that_of_students_table(
    systems, metrics, least
):
    assert smallest_detectable(systems, metrics) == pytest.approx(least, abs=5e-4)
