"""The page of outputs about which a metric and people disagree most."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.data import matrices
from analysis.data.narrowing import narrowed
from analysis.data.pooling import pooled_words
from analysis.data.selection import measures_of, rated_aspects
from analysis.data.study_data import StudyData
from analysis.explorer.disagreement import Case, column_names, disagreement_sentences, explore
from analysis.explorer.exploration import EVERYWHERE, EXPLORED, KINDS, Exploration, Range
from analysis.explorer.output_details import RatingsOfOne
from analysis.filter.field import Pairs
from analysis.filter.fields_of_kinds import check_fields, kinds_with
from analysis.filter.form import FilterForm, chips, offer
from analysis.filter.question import METRICS, OF_RATINGS, Question, QuestionError
from analysis.reports.page_address import OPEN, check_question, opened_sections
from analysis.wording import aspect_heading, selection_words
from corpus.access.guard import study_view
from corpus.models import Study

ASKS = "On which outputs do metrics and human raters disagree?"
CASES_PER_PAGE = 10
LIMITS = ("metric_from", "metric_to", "human_from", "human_to")
FIELDS = (
    *("aspect", "scored_by", "side", "direction", "length", "kind", "segment", *LIMITS, "humans"),
    *("withdrawn", *OF_RATINGS, "systems", "leave_out", "where", "scores", "ddof", "orientation"),
)


@require_safe
@study_view
def disagreement(request: HttpRequest, study: Study) -> HttpResponse:
    """Show outputs with texts, ratings and scores, most disagreement first."""
    data = matrices.load(study, withdrawn=request.GET.get("withdrawn") == "in")
    context: dict[str, Any] = {
        "study": study,
        "page": {"title": "Disagreement", "asks": ASKS, "kind": "disagreement"},
        "url_name": "study-disagreement",
        "counts": {"ratings": len(data.judgements.value), "metric_runs": len(data.runs)},
    }
    error = ""
    try:
        context |= _found(request.GET, study, data)
    except QuestionError as refused:
        error = str(refused)
    context["form"] = form = FilterForm(
        FIELDS, offer(data, **_choices(data)), _given(request.GET, context), error
    )
    context |= {"chips": chips(form), "opened": opened_sections(request.GET)}
    if error:
        return render(request, "analysis/refused.html", context, status=400)
    return render(request, "analysis/disagreement.html", context)


def _given(query: QueryDict, context: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what the form shows and sends again: a metric that a link named is chosen by name."""
    given = {
        name: list(values)
        for name, values in query.lists()
        if name not in ("page", OPEN) and (name in (*FIELDS, *METRICS) or not kinds_with(name))
    }
    if given.keys() & set(METRICS) and "scored_by" in context:
        given["scored_by"] = [context["scored_by"]]
    if any(given.get("scored_by", [])):
        given = {name: values for name, values in given.items() if name not in METRICS}
    return given


def _choices(data: StudyData) -> dict[str, Pairs]:
    return {
        "aspect": tuple((aspect, aspect_heading(aspect)) for aspect in rated_aspects(data)),
        "scored_by": (
            ("", "the first that judges the aspect"),
            *((name, name) for name in column_names(data)),
        ),
    }


def _found(query: QueryDict, study: Study, data: StudyData) -> dict[str, Any]:
    """Return what the page shows.

    Raises
    ------
    QuestionError
        If the address names something that the study does not have.
    """
    given = {
        name: values
        for name, values in query.lists()
        if name not in (*EXPLORED, *LIMITS, "page", OPEN)
    }
    question = Question.parse(given)
    check_fields("disagreement", question)
    _check_metric(question, query.get("scored_by", ""))
    check_question(narrowed(data, question), question)
    asked = Exploration(
        question,
        *(query.get(name, "") for name in EXPLORED),
        metric_range=_range(query, "metric"),
        human_range=_range(query, "human"),
    )
    found = explore(study, data, asked)
    if found is None:
        return {
            "filtered_by": question,
            "found": None,
            "unjudged": bool(rated_aspects(narrowed(data, question))),
        }
    page = Paginator(found.order, CASES_PER_PAGE).get_page(query.get("page"))
    cases = found.cases(page.start_index() - 1, page.end_index()) if len(found) else []
    return {
        "filtered_by": question,
        "found": found,
        "pooled": pooled_words(
            narrowed(data, question).judgements, measures_of(data, found.asked.question.aspect)
        ),
        "aspect": aspect_heading(found.asked.question.aspect),
        "scored_by": found.asked.scored_by,
        "summary": disagreement_sentences(found),
        "cases": [_shown(case) | {"section": f"case-{n}"} for n, case in enumerate(cases, 1)],
        "page_obj": page,
        "selection": selection_words(found.asked.question.but(humans="out")),
    }


def _check_metric(question: Question, scored_by: str) -> None:
    for name, values in question.to_query().items():
        if scored_by and name in METRICS:
            raise QuestionError(
                f"{name}={','.join(values)}: scored_by={scored_by} names the metric: "
                "remove one of the two"
            )


def _range(query: QueryDict, of: str) -> Range:
    def limit(name: str, default: float) -> float:
        text = query.get(name, "").strip().replace("−", "-")
        try:
            return float(text) if text else default
        except ValueError:
            raise QuestionError(f"{name}={text}: expected a number") from None

    low, high = EVERYWHERE
    return limit(f"{of}_from", low), limit(f"{of}_to", high)


def _shown(case: Case) -> dict[str, Any]:
    campaigns = dict.fromkeys(each.campaign for each in case.ratings)
    return {
        "case": case,
        "words": _words(case.gap),
        "kinds": [KINDS[kind] for kind in case.kinds],
        "campaigns": [
            _answers(
                slug if len(campaigns) > 1 else "", [r for r in case.ratings if r.campaign == slug]
            )
            for slug in campaigns
        ],
        "scores": [(name, score, percent(share)) for name, score, share in case.scores],
        "metric_rank": percent(case.metric_share),
        "human_rank": percent(case.human_share),
    }


def _answers(campaign: str, ratings: Sequence[RatingsOfOne]) -> dict[str, Any]:
    """Return the table of one campaign: each rater's answers by measure."""
    measures = list(dict.fromkeys(measure for each in ratings for measure in each.answers))
    return {
        "campaign": campaign,
        "measures": measures,
        "rows": [
            (each.rater, [each.answers.get(measure, "–") for measure in measures])
            for each in ratings
        ],
    }


def percent(share: float) -> str:
    """Return a share as pages write it; a dash where there is none."""
    return f"{100 * share:.0f} %" if isfinite(share) else "–"


def _words(gap: float) -> str:
    if abs(gap) < 0.005:
        return "the metric and human raters agree"
    liked = (
        "rated higher by the metric than by human raters"
        if gap > 0
        else "rated higher by human raters than by the metric"
    )
    return f"{liked} ({abs(gap) * 100:.0f} points of rank apart)"
