"""The try-it page of a study: the trial, and what people said of the nearest segments."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from analysis.data.narrowing import asked_data
from analysis.filter.question import Question
from analysis.nearest import nearest_segments
from corpus.access.guard import study_view
from corpus.models import Study
from metrics.scorers.scorer import Unavailable
from metrics.trials.trial import Busy, own_turn
from metrics.trials.views import trial_page


@require_http_methods(["GET", "HEAD", "POST"])
@study_view
def try_in_study(request: HttpRequest, study: Study) -> HttpResponse:
    """Show a trial, and the rated segments whose sources are nearest to its source."""
    context, status = trial_page(request, study)
    if "trial" in context:
        try:
            with own_turn():
                context["nearest"] = nearest_segments(
                    study, asked_data(study, Question()), context["trial"].source
                )
        except (Unavailable, Busy) as error:
            context["nearest_missing"] = str(error).rstrip(".")
    context |= {"heading": "Try it", "tab": "study-try"}
    return render(request, "analysis/try.html", context, status=status)
