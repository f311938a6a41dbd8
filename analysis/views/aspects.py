"""The page on which names of aspects and metrics meet: what each is read as, and why."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from analysis.charts.chart import counted
from analysis.data.measures import RATER_WORDS
from analysis.data.vocabulary import CampaignPair, MetricRow, Name, Vocabulary, Way, vocabulary
from analysis.vocabulary_form import MEASURED, OWN_FAMILY, VocabularyForm
from annotation.protocols.catalogue import PROTOCOLS
from corpus.access.guard import may_change, study_view
from corpus.models import Study
from corpus.pages.frame import actor, page_with_form, study_frame
from corpus.studies.reading_names import change_readings
from corpus.vocabulary.aspects import ASPECTS, find_aspect

METRICS_NAMED = 4


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner_posts=True)
def aspects(request: HttpRequest, study: Study) -> HttpResponse:
    """Show what names are read as; to owners as a form."""
    owned = may_change(request.user, study)
    posted = request.POST if request.method == "POST" else None
    words = vocabulary(study)
    form = VocabularyForm(words, posted)
    if posted is not None and form.is_valid():
        changed = change_readings(
            study,
            form.wanted_names,
            form.wanted_families,
            form.wanted_pooled,
            actor(request),
        )
        messages.success(request, _changed_words(changed))
        return redirect("study-aspects", study.slug)
    context = study_frame(study, "study-aspects", "Aspects") | {
        "owned": owned,
        "form": form,
        **_tables(study, words, form),
    }
    return page_with_form(request, "analysis/aspects.html", context)


def _tables(study: Study, words: Vocabulary, form: VocabularyForm) -> dict[str, Any]:
    return {
        "names": [_name(row) | {"field": form.of_name(row.name)} for row in words.names],
        "ways": [_way(way) for way in words.ways],
        "campaigns": [
            _campaign(campaign, pairs) | {"field": form.of_campaign(campaign)}
            for campaign, pairs in form.campaigns.items()
        ],
        "metrics": [
            _metric(study, row)
            | {"field": form.of_metric(row.metric) if row.can_be_declared else None}
            for row in words.metrics
        ],
        "unknown": [row.metric for row in words.metrics if row.measured.rule == "unknown"],
    }


def _name(row: Name) -> dict[str, Any]:
    used = [f"{row.ratings:,} rating{'s' if row.ratings > 1 else ''}"] if row.ratings else []
    used += [_listed(row.metrics)] if row.metrics else []
    known = row.aspect.key in ASPECTS
    return {
        "name": row.name,
        "used": ", ".join(used) or "not in use",
        "read_as": row.aspect.title,
        "tracked_by": "" if known else OWN_FAMILY[row.aspect.family],
        "why": {
            "declared": "declared in this study",
            "key": "the name of the aspect",
            "synonym": f"a synonym of {row.aspect.title.lower()}",
            "unknown": "no aspect has this name",
        }[row.rule],
        "unknown": row.rule == "unknown",
    }


def _listed(metrics: Sequence[str]) -> str:
    named = ", ".join(metrics[:METRICS_NAMED])
    more = len(metrics) - METRICS_NAMED
    return f"{named} and {counted(more, 'more metric')}" if more > 0 else named


def _way(way: Way) -> dict[str, Any]:
    measure = way.measure
    scale = "preference" if measure.answers == "choices" else "not declared"
    if measure.scale:
        scale = f"{measure.scale[0]:g} to {measure.scale[1]:g}"
    return {
        "measure": measure.name,
        "name": way.name,
        "campaign": way.campaign,
        "protocol": PROTOCOLS[measure.protocol].title,
        "scale": scale,
        "shown": measure.shown,
        "raters": RATER_WORDS.get(measure.raters, measure.raters),
        "ratings": way.ratings,
    }


def _campaign(campaign: str, pairs: Sequence[CampaignPair]) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "pooled_with": [pair.other for pair in pairs if pair.is_declared and not pair.why_not],
        "refused": [
            f"{'declared, but not pooled with' if pair.is_declared else 'not with'} {pair.other}: "
            f"{pair.why_not}"
            for pair in pairs
            if pair.why_not
        ],
    }


def _metric(study: Study, row: MetricRow) -> dict[str, Any]:
    return {
        "metric": row.metric,
        "runs": row.runs,
        "measures": _measures(row, study.declarations.get("aspects", {})),
        "why": {
            "description": "describes outputs and measures no aspect",
            "definition": "its definition",
            "table": f"its table names the aspect {row.aspect}",
            "declared": "declared in this study",
            "distribution": "it gives probabilities of styles",
            "name": "known by its name",
            "unknown": "nothing says what it measures",
        }[row.measured.rule],
        "unknown": row.measured.rule == "unknown",
    }


def _measures(row: MetricRow, declared: Mapping[str, Any]) -> str:
    measured = row.measured
    if measured.rule == "description":
        return ""
    if measured.aspect_key:
        known = ASPECTS.get(measured.aspect_key) or find_aspect(measured.aspect_key, declared)
        return known.title
    return MEASURED[measured.family] if measured.family else "Not known"


def _changed_words(changed: Sequence[str]) -> str:
    if not changed:
        return "Nothing had changed."
    return f"Saved: {', '.join(changed)}. Reports use it from now on."
