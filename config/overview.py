"""A study's first page: what it holds, from every room."""

from functools import partial
from hashlib import sha256
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.data.states import state_token
from annotation.campaigns.rater_kinds import raters_in_words
from annotation.models import Campaign, Rating
from annotation.protocols.catalogue import PROTOCOLS
from corpus.access import may_change, study_view
from corpus.exports.named import writable_formats
from corpus.models import Study, System
from corpus.studies import directions, provenance_words, recent_imports, running_import


@require_safe
@study_view
def overview(request: HttpRequest, study: Study) -> HttpResponse:
    """Show what a study holds and where it came from."""
    campaigns = _campaigns(study)
    context = {
        "study": study,
        "tab": "study",
        "owned": may_change(request.user, study),
        "counts": _counts(study) | {"ratings": sum(campaign["ratings"] for campaign in campaigns)},
        "directions": directions(study),
        "provenance": [provenance_words(entry) for entry in study.provenance],
        "campaigns": campaigns,
        "runs": _runs(study),
        "running": running_import(study),
        "imports": recent_imports(study),
        "writable": writable_formats(),
    }
    return render(request, "corpus/study.html", context)


def _counts(study: Study) -> dict[str, int]:
    kind = System.Kind
    counts = study.outputs.aggregate(
        outputs=Count("pk", filter=Q(system__kind=kind.SYSTEM)),
        references=Count("pk", filter=Q(system__kind=kind.REFERENCE)),
        sources=Count("pk", filter=Q(system__kind=kind.SOURCE)),
    )
    counts["systems"] = study.systems.filter(kind=kind.SYSTEM).count()
    return counts


def _campaigns(study: Study) -> list[dict[str, Any]]:
    """Describe each campaign: protocol, aspects with scales, raters, current ratings."""
    rated: dict[int, dict[str, int]] = {}
    # Counting a million ratings takes a second: once for each state of the study.
    key = f"ratings:{study.pk}:{sha256(state_token(study).encode()).hexdigest()}"
    for campaign, aspect, ratings in cache.get_or_set(key, partial(_ratings, study), None) or ():
        rated.setdefault(campaign, {})[aspect] = ratings
    raters = raters_in_words(study)
    return [
        {
            "slug": campaign.slug,
            "protocol": _protocol_title(campaign),
            "imported": campaign.origin == Campaign.Origin.IMPORTED,
            "aspects": _aspects(campaign, rated.get(campaign.pk, {})),
            "raters": raters.get(campaign.pk, []),
            "ratings": sum(rated.get(campaign.pk, {}).values()),
        }
        for campaign in study.campaigns.all()
    ]


def _ratings(study: Study) -> list[tuple[int, str, int]]:
    """Count the current ratings of each campaign on each aspect."""
    current = Rating.objects.current_of(study).order_by()
    counted = current.values_list("submission__item__campaign", "aspect").annotate(
        ratings=Count("*")
    )
    return list(counted)


def _protocol_title(campaign: Campaign) -> str:
    known = PROTOCOLS.get(campaign.protocol)
    return known.title if known else campaign.protocol


def _aspects(campaign: Campaign, rated: dict[str, int]) -> list[dict[str, Any]]:
    scales = campaign.config.get("scales", {})
    return [
        {"name": name, "scale": scales.get(name), "ratings": rated.get(name, 0)}
        for name in dict.fromkeys([*scales, *sorted(rated)])
    ]


def _runs(study: Study) -> list[dict[str, Any]]:
    return [
        {
            "name": run.name,
            "metric": run.metric,
            "compared_to": run.compared_to,
            "aspect": run.aspect,
            "text_setting": run.text_setting,
            "distribution": ", ".join(run.fields) if run.is_distribution else "",
        }
        for run in study.runs.select_related("metric").order_by("metric", "pk")
    ]
