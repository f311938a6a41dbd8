"""The card on where a metric fails: the output on which it and human raters disagree most."""

from collections.abc import Sequence

from analysis.explorer.disagreement import Case, largest_gap
from analysis.explorer.exploration import Exploration
from analysis.filter.question import Question
from analysis.findings.card import Card, Example, Source
from analysis.findings.metrics import aspect_of_most, comparison
from analysis.reports.summaries import aspect_words
from annotation.rating.differences import Run

MOST_CHARACTERS = 280
MOST_RATINGS = 4


def failures(source: Source) -> Card:
    """Show the largest gap of the metric that correlates best, as far as that is known."""
    correlations = source.report("correlation", Question()).content
    question = aspect_of_most(correlations, source.question)
    compared = comparison(source, correlations, question)
    metric = compared.metrics[0].name if compared and compared.metrics else ""
    found = source.explore(Exploration(question, scored_by=metric))
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
        query=question.to_query() | {"scored_by": [metric]},
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
