"""Reports answer their question in sentences that say no more than their numbers do."""

from dataclasses import dataclass, field

import pytest

from analysis.estimates.comparisons import PairTests
from analysis.filter.question import Question
from analysis.findings.answers import systems
from analysis.reports.ranking.page import ranking_sentences
from analysis.reports.ranking.report import AspectRanking, RankedMean, RankingReport, RatedSystem
from analysis.reports.system_comparison.report import RankedSystem, SystemComparisonReport
from analysis.stats.results import Estimate, Interval, Undefined
from analysis.verdicts.contest import Contest
from analysis.verdicts.metrics import correlates_best
from analysis.verdicts.systems import system_sentences
from tests.fixtures.report_pages import open_page, reader, words

STUDY = "/studies/formality-demo"
TESTED = "tested in the report Systems."


def texts(sentences):
    return ["".join(part["text"] for part in each["parts"]) for each in sentences]


def estimate(value, low=None, high=None):
    interval = None if low is None else Interval(low, high, 0.95, "made up")
    return Estimate(value, n=40, interval=interval)


# Rankings


def ranked(system, rank, mean, *, human=False):
    raw = RankedMean(rank, Undefined("nobody rated it", 0) if mean is None else estimate(mean))
    return RatedSystem(system=system, human=human, group="", raw=raw, z=raw, conditions={})


def ranking(**aspects):
    tables = [
        AspectRanking(aspect=aspect, systems=tuple(systems), note="")
        for aspect, systems in aspects.items()
    ]
    return texts(ranking_sentences(RankingReport(tuple(aspects), tuple(tables))))


def test_means_are_named_by_aspect_and_what_people_wrote_by_itself():
    style = [ranked("REF", 1, 90.12, human=True), ranked("A", 2, 82.57), ranked("B", 3, 9.876)]
    fluency = [ranked("A", 1, 88.0), ranked("REF", 2, 85.0, human=True), ranked("B", 3, 4.0)]
    highest, written, untested = ranking(style=style, fluency=fluency)
    assert highest == (
        "The highest mean rating is that of A on style (82.6) and fluency (88.0); "
        "the lowest, of B on style (9.88) and fluency (4.00)."
    )
    assert written == "Human-written and rated above every system: REF on style."
    assert untested.endswith(TESTED)


# Comparisons: the same rule as on Findings


def pair(first, second, *, detected):
    return PairTests(
        first=first, second=second, tests={"permutation": estimate(0.1, 0.05, 0.15)}, adjusted={},
        p_value=0.01 if detected else 0.5, detected=detected, equivalent=False,
    )  # fmt: skip


@dataclass
class Stored:
    """A report as a card of Findings asks for it."""

    content: SystemComparisonReport
    question: Question = field(default_factory=Question)

    def report(self, kind):
        assert kind == "system-comparison"
        return self


@pytest.mark.parametrize(
    ("detected", "place"), [([(0, 1), (0, 2)], 0), ([(0, 2)], 0), ([(1, 2)], 0), ([], -1)]
)
def test_the_system_comparison_says_what_its_card_says(detected, place):
    entries = [
        RankedSystem(system=name, human=False, result=estimate(mean), other=estimate(mean),
                     index=at, best=1, worst=3, cluster=1)
        for at, (name, mean) in enumerate((("A", 4.0), ("B", 3.0), ("C", 2.0)))
    ]  # fmt: skip
    pairs = [pair(i, j, detected=(i, j) in detected) for i, j in ((0, 1), (0, 2), (1, 2))]
    content = SystemComparisonReport(
        aspect="style", aspects=("style",), segments=40, systems=tuple(entries), left_out=(),
        pairs=tuple(pairs), strengths=(),
    )  # fmt: skip
    card = systems(Stored(content))
    said = texts(system_sentences(content, Question()))
    assert said[place] == (f"{card.lead} {card.rest}" if detected else card.rest)
    assert len(said) > 1
    if not detected:
        assert said[0].startswith("No difference was detected between A and B")


def test_a_metric_that_was_not_shown_to_correlate_is_not_said_to_be_best():
    contest = Contest(["bleu", "chrf"], [pair(0, 1, detected=True)], "metrics", "Δr")
    lead, rest = correlates_best(contest, [estimate(0.2, -0.1, 0.4), estimate(-0.3)], " on style")
    assert lead == "No metric was shown to correlate with human scores on style."
    assert rest.endswith("its interval includes zero.")
    _, rest = correlates_best(contest, [estimate(0.2), estimate(-0.3)], " on style")
    assert rest.endswith("it has no interval.")


# Pages


@pytest.mark.django_db
@pytest.mark.usefixtures("demo_reports")
@pytest.mark.parametrize(
    "kind",
    [
        *("agreement", "metric-means", "planning", "raters", "ranking", "rankings", "scores"),
        *("subgroups", "system-comparison"),
    ],
)
def test_every_report_begins_with_an_answer_whose_links_lead_somewhere(kind):
    page = open_page(reader("ria", "formality-demo"), f"{STUDY}/{kind}/")
    (answer,) = [each for each in page.iter("section") if each.get("class") == "answer"]
    assert 1 <= len(answer.findall("p")) <= 3
    ids = {f"#{each.get('id')}" for each in page.iter()}
    links = {link.get("href") for link in answer.iter("a")}
    assert links <= {*ids, f"{STUDY}/system-comparison/"}
    if kind in ("ranking", "rankings"):
        assert f"{STUDY}/system-comparison/" in links
        assert words(answer).endswith(TESTED)
