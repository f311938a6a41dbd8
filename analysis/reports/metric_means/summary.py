"""The answer of the metric scores: which system is best by the metric that is tested."""

from analysis.filter.question import Question
from analysis.reports.metric_means.report import MetricMeansReport
from analysis.reports.metric_means.system_tests import SystemTests
from analysis.reports.standing import answered, standing_in, standing_sentences
from analysis.reports.summaries import Contest, Sentence, contest_sentences, listed, said


def tested_sentences(
    content: MetricMeansReport, tested: SystemTests, question: Question
) -> list[Sentence]:
    """Say which system has the best score by the tested metric, and what tests detected."""
    contest = Contest([each.system for each in tested.systems], tested.pairs, "systems", "Δ")
    evidence = contest_sentences(contest, question)
    if len(contest.names) < 2:
        return evidence + fewer_outputs(tested)
    lead, rest = standing_sentences(
        standing_in(contest),
        first=f"has the best {content.columns[tested.column].value}",
        lower="worse",
        last="the worst",
        on=f" by {tested.label}",
    )
    said_of_all = answered(lead, rest, evidence, is_told=not contest.detected)
    return said_of_all + fewer_outputs(tested)


def fewer_outputs(tested: SystemTests) -> list[Sentence]:
    """Say which systems have a score of fewer outputs than the others, if any have."""
    most = max((each.result.n for each in tested.systems), default=0)
    short = [f"{each.system} ({each.result.n})" for each in tested.systems if each.result.n < most]
    if not short:
        return []
    return [
        said(
            f"By {tested.label}, systems are scored over fewer than {most} outputs where the rest "
            f"has no score: {listed(short)}. Their ranks are not comparable with the others."
        )
    ]
