"""What cards of Findings claim: no more than tests and intervals say."""

import pytest

from analysis.estimates.comparisons import PairTests
from analysis.findings.answers import trust
from analysis.findings.cards import caution
from analysis.findings.holdings import Holdings, next_step, steps
from analysis.reports.agreement.report import AgreementReport, AgreementRow
from analysis.stats.results import Estimate, Interval, Undefined
from analysis.verdicts.contest import Contest, verdict_of, verdict_words
from analysis.verdicts.trust import agreement_sentences
from corpus.models import Study


def standing(names, *detected):
    """Return the answer on those in their order, of whom these pairs were found to differ."""
    pairs = [
        PairTests(
            first=i,
            second=j,
            tests={"permutation": Estimate(0.1, n=9)},
            adjusted={},
            p_value=0.01 if (i, j) in detected else 0.5,
            detected=(i, j) in detected,
            equivalent=False,
        )
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]
    found = verdict_of(Contest(names, pairs, "systems", "Δ"))
    return " ".join(verdict_words(found, first="is highest", lower="lower", on=" on style"))


@pytest.mark.parametrize(
    ("detected", "answer"),
    [
        ([], "No difference between any two of the 3 systems was detected on style. "
         "By value alone, A is highest, C lowest."),
        ([(0, 1), (0, 2)], "A is highest on style. Each of the other 2 systems is lower."),
        ([(0, 2)], "A is highest on style. No difference from B was detected; C is lower."),
        ([(1, 2)], "A is highest on style by value. No difference from B and C was detected."),
    ],
)  # fmt: skip
def test_a_system_is_said_to_be_lower_only_if_a_test_said_so(detected, answer):
    assert standing("ABC", *detected) == answer


class Stored:
    """Agreement as a report has it."""

    def __init__(self, **alphas):
        self.rows = [
            AgreementRow("", "all", aspect, "alpha-interval", 3, 40, {}, alpha)
            for aspect, alpha in alphas.items()
        ]

    def report(self, kind, question=None):
        assert kind == "agreement"
        self.content = AgreementReport(
            batch_attribute="", aspects=(), numbers=tuple(self.rows), raters=(), relative=()
        )
        return self


def alpha(value, low, high):
    return Estimate(value, n=40, interval=Interval(low, high, 0.95, "bootstrap"))


@pytest.mark.parametrize(
    ("low", "said"),
    [(0.5, "Agreement between raters was not shown to suffice on style."), (0.7, "")],
)
def test_an_answer_is_cautioned_where_agreement_was_not_shown_to_suffice(low, said):
    known = Stored(style=alpha(0.75, low, 0.9), content=alpha(0.9, 0.85, 0.95))
    assert caution(known, "style") == said
    assert caution(known, "content") == ""
    assert caution(Stored(style=Undefined("one rater")), "style") == ""


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (alpha(0.9, 0.81, 0.95), "Agreement is reliable on style."),
        (alpha(0.9, 0.79, 0.95), "Agreement allows tentative conclusions on style."),
        (
            alpha(0.9, 0.66, 0.95),
            "Agreement was not shown to suffice on style (its interval reaches below 0.667).",
        ),
        (
            alpha(0.5, 0.4, 0.6),
            "Agreement does not suffice on style (its whole interval lies below 0.667).",
        ),
        (
            Estimate(0.9, n=40),
            "Agreement was not shown to suffice on style (it has no interval).",
        ),
    ],
)
def test_agreement_suffices_only_where_its_whole_interval_does(result, verdict):
    assert trust(Stored(style=result)).lead == verdict


def test_the_report_on_agreement_says_the_same_as_the_card():
    stored = Stored(
        content=alpha(0.9, 0.85, 0.95), style=alpha(0.7, 0.5, 0.8), fluency=Undefined("")
    )
    card = trust(stored)
    sentences = agreement_sentences(stored.content)
    answer = ["".join(part["text"] for part in each["parts"]) for each in sentences]
    assert answer == [card.lead, card.rest]


def held(**changes):
    everything = {
        "sources": 80, "references": 80, "outputs": 640, "systems": 8, "reference_systems": 1,
        "annotators": 8, "runs": 36, "directions": [{}, {}], "rated": {1: {"style": 4320}},
    }  # fmt: skip
    return Holdings(**(everything | changes))


@pytest.mark.parametrize(
    ("changes", "done", "wanted"),
    [
        ({"outputs": 0, "rated": {}, "runs": 0}, [False, False, False], "Import texts"),
        ({"rated": {}, "runs": 0}, [True, False, False], "Start a campaign"),
        ({"runs": 0}, [True, True, False], "Score the outputs"),
        ({}, [True, True, True], "Read all reports"),
    ],
)
def test_a_study_has_one_next_step(changes, done, wanted):
    found = held(**changes)
    assert [step.done for step in steps(found)] == done
    assert next_step(Study(), found, campaigns=False, owned=True).title == wanted
    assert next_step(Study(), found, campaigns=False, owned=False).title == "Read all reports"


def test_what_needs_texts_is_no_next_step_without_them():
    study = Study(without_texts=True)
    for changes, wanted in (({"rated": {}}, "Import ratings"), ({"runs": 0}, "Import scores")):
        found = next_step(study, held(**changes), campaigns=False, owned=True)
        assert found.title == wanted
