"""The answers of the cards: on trust, on systems, on metrics, and on where these fail."""

from collections.abc import Sequence

from analysis.charts.chart import counted, format_number
from analysis.charts.small_dots import Band
from analysis.explorer.disagreement import Case, largest_gap
from analysis.explorer.exploration import Exploration
from analysis.filter.fields_of_kinds import restricted
from analysis.filter.question import Question, QuestionError
from analysis.findings.card import Card, Example, Pictures, Source, pictures, row
from analysis.reports.agreement.report import AgreementReport
from analysis.reports.comparison.report import MOST_METRICS as MOST_COMPARED
from analysis.reports.comparison.report import ComparisonReport
from analysis.reports.correlation.content import CorrelationReport
from analysis.reports.correlation.summary import BY_LEVEL
from analysis.reports.stand_in.content import StandInReport
from analysis.reports.summaries import aspect_words, listed
from analysis.reports.system_comparison.report import SystemComparisonReport
from analysis.reports.system_comparison.strengths import Strengths
from analysis.stats.results import Result
from analysis.verdicts.contest import Contest, Verdict, verdict_of
from analysis.verdicts.metrics import correlates_best, stand_in_answers
from analysis.verdicts.systems import (
    means_answer,
    means_contest,
    votes_answer,
    votes_verdict,
    without_strength,
)
from analysis.verdicts.trust import (
    FIRM,
    TENTATIVE,
    agreements,
    alpha_values,
    unanimity,
    verdict,
)
from analysis.wording import column_labels
from annotation.rating.differences import Run

BANDS = (Band("low", TENTATIVE), Band("tentative", FIRM), Band("reliable", 1.0))
MOST_ASPECTS = 8


def trust(source: Source) -> Card:
    """Say on which aspects agreement suffices."""
    content: AgreementReport = source.report("agreement").content
    asked = agreements(content)
    known = [each for each in asked if each.result.value is not None]
    if not known:
        reason = asked[0].result.reason if asked else "nobody rated on a scale or chose"
        same = " ".join(unanimity(each) for each in asked if each.is_unanimous)
        return Card(missing=same or f"Agreement between raters cannot be computed: {reason}.")
    shown = asked[:MOST_ASPECTS]
    rows = [row(each.asked, each.result) for each in shown]
    more = f" · {len(shown)} of {len(asked)} aspects" if len(asked) > len(shown) else ""
    return Card(
        lead=verdict(known),
        rest=alpha_values(known),
        note=counted(max(each.raters for each in known), "rater")
        + f" · {max(each.units for each in known):,} outputs{more}",
        pictures=pictures(
            rows,
            title="Agreement between raters",
            statistic="Krippendorff’s α",
            bands=BANDS,
            name="finding-trust",
        ),
    )


MOST_SYSTEMS = 12


def systems(source: Source) -> Card:
    """Say which system is rated highest, and which others tests put below it."""
    content: SystemComparisonReport = source.report("system-comparison").content
    if len(content.systems) > 1:
        return _by_means(content, source.question)
    fits = [fit for fit in content.strengths if fit.systems]
    if fits:
        return _by_votes(fits[0], content.aspects)
    unfit = [fit.undefined.reason for fit in content.strengths if fit.undefined]
    why = unfit[0] if unfit else "fewer than two systems were rated by humans"
    return Card(missing=f"Systems cannot be compared: {why}.", aspects=content.aspects)


def _by_means(content: SystemComparisonReport, question: Question) -> Card:
    names = [entry.system for entry in content.systems]
    verdict = verdict_of(means_contest(content, question))
    on = f" on {aspect_words(content.aspect)}"
    lead, rest = means_answer(verdict, content.aspect)
    return Card(
        lead=lead,
        rest=rest,
        note=_shown(len(names)) or f"mean human scores of {counted(len(names), 'system')}",
        pictures=_pictures_of_systems(
            [(entry.system, entry.result) for entry in content.systems],
            verdict,
            title="Systems by mean human score" + on,
            statistic="mean human score, 95 % interval",
        ),
        aspect=content.aspect,
        aspects=content.aspects,
    )


def _by_votes(fit: Strengths, aspects: tuple[str, ...]) -> Card:
    names = [entry.system for entry in fit.systems]
    verdict = votes_verdict(fit)
    on = f" on {aspect_words(fit.aspect)}"
    lead, rest = votes_answer(verdict, fit.aspect)
    ties = f", {format_number(100 * fit.ties / fit.judgements, 0)} % ties" if fit.ties else ""
    return Card(
        lead=lead,
        rest=rest + without_strength(fit),
        note=_shown(len(names)) or f"{fit.judgements:,} votes{ties}",
        pictures=_pictures_of_systems(
            [(entry.system, entry.result) for entry in fit.systems],
            verdict,
            title="Systems by votes" + on,
            statistic="log strength (Bradley–Terry), 95 % interval",
        ),
        aspect=fit.aspect,
        aspects=aspects,
    )


def _pictures_of_systems(
    found: Sequence[tuple[str, Result]], verdict: Verdict, **chart: str
) -> Pictures:
    """Return the picture of the first systems, those behind the first set off."""
    rows = [
        row(name, result, behind=place in verdict.behind)
        for place, (name, result) in enumerate(found[:MOST_SYSTEMS])
    ]
    return pictures(rows, name="finding-systems", **chart)


def _shown(systems: int) -> str:
    return f"{MOST_SYSTEMS} of {systems} systems" if systems > MOST_SYSTEMS else ""


MOST_METRICS = 8
OVER = {"segment": "outputs", "system": "means of systems"}
Named = Sequence[tuple[str, Result]]
"""Metrics with their correlations, best first."""


def metrics(source: Source) -> Card:
    """Say which metric may take the place of a rater, and which correlates best."""
    question = source.question.but(metric=())
    correlations: CorrelationReport = source.report("correlation", Question()).content
    compared = comparison(source, correlations, question)
    if compared is None:
        return _uncompared(source, correlations, question)
    found = [
        (name, each.result)
        for name, each in zip(column_labels(compared.metrics), compared.metrics, strict=True)
    ]
    if not found:
        reason = compared.left_out[0].reason if compared.left_out else "none measures this aspect"
        return Card(
            missing=f"No metric can be compared with human scores: {reason}.",
            aspect=compared.aspect,
            aspects=compared.aspects,
            query=question.to_query(),
        )
    on = f" on {aspect_words(compared.aspect)}"
    ceiling = _ceiling(correlations, compared.aspect, question.level)
    contest = Contest([name for name, _ in found], compared.pairs, "metrics", "", question)
    correlates = correlates_best(contest, [result for _, result in found], on, ceiling)
    behind = verdict_of(contest).behind
    lead, *rest = stand_in(source, question)
    return Card(
        lead=lead,
        rest=" ".join([*rest, *correlates]),
        note=_note(len(found), question.level),
        pictures=_pictures_of_metrics(found, behind, on, ceiling, question.level),
        aspect=compared.aspect,
        aspects=compared.aspects,
        metrics=tuple(each.name for each in compared.metrics),
        query=question.to_query(),
    )


def stand_in(source: Source, question: Question) -> list[str]:
    """Say which metrics may take the place of a rater, or why that cannot be tested."""
    try:
        content: StandInReport = source.report("stand-in", question).content
    except QuestionError as refused:
        reason = str(refused)
    else:
        if found := stand_in_answers(content):
            return found
        untested = [each.results["winning-rate"].reason for each in content.rows]
        untested += [each.reason for each in content.left_out]
        reason = content.reason or next(filter(None, untested), "no metric measures it")
    return [f"Whether a metric may take the place of a rater cannot be tested here: {reason}."]


def comparison(
    source: Source, content: CorrelationReport, question: Question
) -> ComparisonReport | None:
    """Return the comparison of every two metrics; None where too many fit to compare them."""
    aspect = question.aspect or next(iter(content.aspects), "")
    if len(content.own_rows(aspect)) > MOST_COMPARED:
        return None
    compared: ComparisonReport = source.report("comparison", question).content
    return compared


def _uncompared(source: Source, content: CorrelationReport, question: Question) -> Card:
    """Return what holds without comparing every two of so many metrics."""
    aspect = question.aspect or content.aspects[0]
    key = BY_LEVEL[question.level]
    rows = [
        row
        for _, row in content.own_rows(aspect)
        if row.orientation == "oriented" and row.results[key].value is not None
    ]
    names = column_labels(rows)
    results = [(name, row.results[key]) for name, row in zip(names, rows, strict=True)]
    found = sorted(results, key=lambda entry: -(entry[1].value or 0.0))
    above = [name for name, result in found if result.interval and result.interval.low > 0]
    on = f" on {aspect_words(aspect)}"
    many = f"{len(above)} of {len(found)} metrics correlate with human scores{on}."
    best = [f"{name} ({format_number(result.value, 2)})" for name, result in found[:3]]
    ceiling = _ceiling(content, aspect, question.level)
    lead, *rest = stand_in(source, question)
    if best:
        many += (
            f" The highest values of r are those of {listed(best)}; choose fewer to have every two "
            "compared."
        )
    return Card(
        lead=lead,
        rest=" ".join([*rest, many]),
        note=_note(len(found), question.level),
        pictures=_pictures_of_metrics(found, frozenset(), on, ceiling, question.level)
        if found
        else {},
        aspect=aspect,
        aspects=content.aspects,
        metrics=tuple(row.name for row in rows),
        query=question.but(aspect=aspect).to_query(),
    )


def _ceiling(content: CorrelationReport, aspect: str, level: str) -> float | None:
    """Return how well any metric could do, given the ratings."""
    found = (each.results.get(level) for each in content.ceilings if each.aspect == aspect)
    return next((result.value for result in found if result), None)


def _pictures_of_metrics(
    found: Named, behind: frozenset[int], on: str, ceiling: float | None, level: str
) -> Pictures:
    rows = [
        row(name, result, behind=place in behind)
        for place, (name, result) in enumerate(found[:MOST_METRICS])
    ]
    return pictures(
        rows,
        title="Metrics by their correlation with human scores" + on,
        statistic=f"Pearson r over {OVER[level]}, 95 % interval",
        line=("noise ceiling", ceiling) if ceiling is not None else None,
        least=(0.0, 1.0),
        name="finding-metrics",
    )


def _note(metrics: int, level: str) -> str:
    if metrics > MOST_METRICS:
        return f"the first {MOST_METRICS} of {metrics} metrics · {level} level"
    return f"{level} level"


MOST_CHARACTERS = 280
MOST_RATINGS = 4


def failures(source: Source) -> Card:
    """Show the largest gap of the metric that correlates best, as far as that is known."""
    question = source.question.but(metric=())
    correlations = source.report("correlation", Question()).content
    compared = comparison(source, correlations, question)
    best = compared.metrics[0].name if compared and compared.metrics else ""
    metric = next(iter(source.question.metric), best)
    asked = restricted("disagreement", question)
    found = source.explore(Exploration(asked, scored_by=metric))
    if found is None or not len(found):
        return Card(missing="No metric here judges outputs that human raters judged too.")
    case = found.cases(0, 1)[0]
    aspect, metric = found.asked.question.aspect, found.asked.scored_by
    lead, rest = largest_gap(found)
    return Card(
        lead=lead,
        rest=rest,
        note=f"{len(found):,} outputs by distance of ranks",
        example=_example(case, aspect, compared=found.column.run.compared_to == "reference"),
        aspect=aspect,
        aspects=compared.aspects if compared else (aspect,),
        query=asked.to_query() | {"scored_by": [metric]},
    )


def _example(case: Case, aspect: str, *, compared: bool) -> Example:
    given = [each.answers[aspect] for each in case.ratings if aspect in each.answers]
    shown = ", ".join(given[:MOST_RATINGS]) + (" …" if len(given) > MOST_RATINGS else "")
    return Example(
        segment=case.segment,
        system=case.system,
        source=_beginning(case.source),
        output=_beginning(case.output),
        facts=f"{aspect_words(aspect)} {shown}" if shown else "",
        reference=_beginning([(case.references[0], False)])[0][0]
        if compared and case.references
        else "",
    )


def _beginning(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return as much of a text as a card has room for."""
    shown: list[Run] = []
    left = MOST_CHARACTERS
    for text, differs in runs:
        if left <= 0:
            break
        shown.append((text if len(text) <= left else f"{text[:left]}…", differs))
        left -= len(text)
    return tuple(shown)
