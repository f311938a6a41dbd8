"""The part of the agreement report that sets protocols beside each other.

Content of masked beside that of plain texts; naturalness, relative beside absolute with its ratings
cut at a threshold: Fleiss' kappa and nominal alpha of each over the outputs rated in both, and the
difference with a paired interval.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from analysis.data.arrays import Floats, Integers
from analysis.data.measures import SINGLE_RATERS, Measure, campaign_words
from analysis.data.selection import measures_of
from analysis.data.study_data import StudyData
from analysis.estimates.agreement_resampling import Resampling
from analysis.estimates.choice_agreements import (
    SOURCE,
    AskedPairs,
    asked_pairs,
    canonical,
    selected,
)
from analysis.filter.question import Question
from analysis.reports.agreement.choices import CUTS, THRESHOLDS, Conditions
from analysis.stats.agreement.protocol_agreement import (
    STATISTICS,
    PairedAgreement,
    bin_at_threshold,
    paired_agreement,
)
from analysis.stats.arrays import slots_in_file_order
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined, with_details
from analysis.stats.signature import extended, signature

CONTENT, ABSOLUTE = "content_preservation", "absolute_naturalness"
SHOWN = ("masked", "plain")
Drawn = tuple[Bootstrap, Resampling | None]
"""How intervals are drawn, and of what where that is asked for."""


@dataclass(frozen=True)
class JudgedOutputs:
    """Single answers of people about outputs: of which output, and what, in file order."""

    name: str
    output: Integers
    value: Floats

    def table(self, outputs: Integers) -> Floats:
        """Lay the answers about some outputs (ascending) out as outputs × slots."""
        kept = np.isin(self.output, outputs)
        rows = np.searchsorted(outputs, self.output[kept])
        return slots_in_file_order(rows, self.value[kept])


@dataclass(frozen=True)
class ProtocolRow:
    """Agreement under two protocols, and the first less the second, by a statistic."""

    comparison: str
    first: str
    second: str
    statistic: str
    threshold: float | None
    at_threshold: str
    outputs: int
    humans: str
    conditions: Conditions
    results: Mapping[str, Result]


def protocol_rows(
    data: StudyData,
    question: Question,
    humans: str,
    resampling: Resampling | None,
    bootstrap: Bootstrap,
) -> tuple[ProtocolRow, ...]:
    """Return each comparison of two protocols with both statistics, where people followed both."""
    return tuple(_rows(data, question, humans, (bootstrap, resampling)))


def _rows(data: StudyData, question: Question, humans: str, drawn: Drawn) -> Iterator[ProtocolRow]:
    title = "content, masked against plain texts"
    for first, second in product(*(_measures(data, question, CONTENT, shown) for shown in SHOWN)):
        if first.raters == second.raters:
            masked, plain = (
                _answers(data, question, each, _named(data, each, each.shown))
                for each in (first, second)
            )
            yield from _compared(data, question, title, masked, plain, {}, humans, drawn)
    title = "naturalness, relative against absolute"
    for measure, asked in product(_measures(data, question, ABSOLUTE), asked_pairs(data, question)):
        other = data.measure(asked.aspect)
        if asked.compared != SOURCE or other is None or other.raters != measure.raters:
            continue
        relative = _choices(data, question, asked, _named(data, other, "relative"))
        absolute = _answers(data, question, measure, _named(data, measure, "absolute"))
        for (at_threshold, words), threshold in product(CUTS.items(), THRESHOLDS):
            binned = JudgedOutputs(
                f"{absolute.name}, {words.removeprefix('of ')} {threshold:g}",
                absolute.output,
                bin_at_threshold(absolute.value, threshold, at_threshold=at_threshold),
            )
            own = {"threshold": threshold, "at_threshold": at_threshold}
            yield from _compared(data, question, title, relative, binned, own, humans, drawn)


def _measures(data: StudyData, question: Question, protocol: str, shown: str = "") -> list[Measure]:
    """Return the measures of single ratings under a protocol that a question asks for."""
    asked = measures_of(data, question.aspect) if question.aspect else data.judgements.measures
    return [
        measure
        for measure in asked
        if (measure.protocol, measure.answers, measure.shown) == (protocol, "scale", shown)
        and measure.raters in SINGLE_RATERS
    ]


def _answers(data: StudyData, question: Question, measure: Measure, name: str) -> JudgedOutputs:
    """Return the single ratings of outputs on a measure."""
    judged = data.judgements
    rows = np.flatnonzero(data.aspect_mask(measure.name))
    rows = rows[data.column_of_output[judged.first[rows]] >= 0]
    rows = rows[selected(data, question, rows)]
    return JudgedOutputs(name, judged.first[rows], judged.value[rows])


def _named(data: StudyData, measure: Measure, name: str) -> str:
    """Return a name with the campaigns where others asked the same in the same way."""
    alike = [
        each
        for each in data.judgements.measures
        if (each.protocol, each.answers, each.shown)
        == (measure.protocol, measure.answers, measure.shown)
    ]
    return f"{name} of {campaign_words(measure)}" if len(alike) > 1 else name


def _choices(data: StudyData, question: Question, asked: AskedPairs, name: str) -> JudgedOutputs:
    """Return the single choices between outputs and their sources."""
    rows = asked.rows[selected(data, question, asked.rows)]
    _, output, choice = canonical(data, rows)
    ties = "ties allowed" if asked.ties else "no ties"
    return JudgedOutputs(f"{name}, {ties}", output, choice)


def _compared(
    data: StudyData,
    question: Question,
    title: str,
    first: JudgedOutputs,
    second: JudgedOutputs,
    own: dict[str, Any],
    humans: str,
    drawn: Drawn,
) -> Iterator[ProtocolRow]:
    if not first.output.size or not second.output.size:
        return
    outputs = np.intersect1d(first.output, second.output)
    for statistic in STATISTICS:
        if outputs.size:
            found = _paired(data, question, outputs, first, second, statistic, drawn)
        else:
            nothing = Undefined(
                "no output was rated under both protocols", signature=signature(statistic)
            )
            found = PairedAgreement(nothing, nothing, nothing)
        yield ProtocolRow(
            comparison=title,
            first=first.name,
            second=second.name,
            statistic=statistic,
            threshold=own.get("threshold"),
            at_threshold=own.get("at_threshold", ""),
            outputs=int(outputs.size),
            humans=humans,
            conditions=question.to_query(),
            results={
                "first": _of_outputs(found.first),
                "second": _of_outputs(found.second, **own),
                "difference": _of_outputs(found.difference, **own),
            },
        )


def _paired(
    data: StudyData,
    question: Question,
    outputs: Integers,
    first: JudgedOutputs,
    second: JudgedOutputs,
    statistic: Any,
    drawn: Drawn,
) -> PairedAgreement:
    bootstrap, resampling = drawn
    over = resampling.over if resampling else "units"
    groups = {
        "segments": data.segment_of_output[outputs],
        "systems": data.column_of_output[outputs],
    }.get(over)
    found = paired_agreement(
        first.table(outputs),
        second.table(outputs),
        statistic,
        groups=groups,
        over=over if groups is not None else "units",
        bootstrap=bootstrap,
    )
    if "annotators" not in over:
        return found
    return PairedAgreement(found.first, found.second, _without_interval(found.difference))


def _without_interval(result: Result) -> Result:
    """Leave the interval out where annotators shall be drawn, who are others in each campaign."""
    if isinstance(result, Undefined):
        return result
    reason = "the protocols have annotators of their own, who cannot be drawn in pairs"
    return with_details(replace(result, interval=None), no_interval_because=reason)


def _of_outputs(result: Result, **variant: Any) -> Result:
    """Return a result that counts outputs, with how ratings were cut in its signature."""
    name = extended(result.signature, **variant) if result.signature else ""
    return replace(result, unit="outputs", signature=name)
