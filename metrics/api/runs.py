"""Metric runs of a study: asking for them, and how they stand."""

from typing import Any, cast

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from corpus.access import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import JobSerializer
from corpus.api.paging import PAGE_PARAMETERS, Page, page_of, page_response, read_after, read_limit
from corpus.api.studies import FORBIDDEN, SLUG
from metrics.runs.asking import ask_for_runs, default_requests
from metrics.runs.attribution_setting import PRESETS
from metrics.runs.listing import ListedRun, listed_runs
from metrics.runs.requests import RunRequest
from metrics.runs.setting_kinds import KINDS

MOST_REQUESTS = 200


class TextSettingSerializer(serializers.Serializer[Any]):
    """What is done to every text before a metric sees it."""

    kind = serializers.ChoiceField(choices=KINDS, default="plain")
    lexicon = serializers.CharField(
        required=False, max_length=200, help_text="Style lexicon; the only one if not given."
    )
    threshold = serializers.FloatField(required=False, min_value=0, max_value=1e6)
    placeholder = serializers.CharField(required=False, max_length=40)
    by = serializers.ChoiceField(choices=["lexicon", "attribution"], required=False)
    model = serializers.CharField(
        required=False, max_length=100, help_text="Classifier of word attributions."
    )
    preset = serializers.ChoiceField(choices=[n for n in PRESETS if n], required=False)
    merge_words = serializers.BooleanField(required=False)
    rank_special = serializers.BooleanField(required=False)
    at_least_one = serializers.BooleanField(required=False)
    least_probability = serializers.FloatField(required=False, min_value=0, max_value=1)
    probability_of = serializers.ChoiceField(
        choices=["other-styles", "source-style"], required=False
    )
    baseline = serializers.ChoiceField(choices=["keep-special", "pad-all"], required=False)


class RunRequestSerializer(serializers.Serializer[Any]):
    """One metric with one setting."""

    metric = serializers.CharField(max_length=200, help_text="Key of a metric, see `metrics/`.")
    parameters = serializers.DictField(
        required=False,
        help_text="Those that differ from the defaults; text, number or boolean, by their names.",
    )
    against = serializers.CharField(
        required=False,
        max_length=50,
        help_text="`source`, `reference.2`, `reference` (a run for each) or `references` (all at "
        "once); what the metric prefers if not given.",
    )
    text = TextSettingSerializer(required=False)
    models = serializers.DictField(
        child=serializers.CharField(max_length=200),
        required=False,
        help_text="Trained models by what they are needed as: name or hash.",
    )


class RunRequestsSerializer(serializers.Serializer[Any]):
    """Runs that are wanted."""

    runs = serializers.ListField(
        child=RunRequestSerializer(),
        required=False,
        max_length=MOST_REQUESTS,
        help_text="If not given, the default metrics as they prefer it.",
    )


class RunSerializer(serializers.Serializer[Any]):
    """A metric run and how it stands."""

    id = serializers.IntegerField()
    name = serializers.CharField(
        help_text="Its one name in the study: commands, filters and combinations take it."
    )
    metric = serializers.CharField()
    names = serializers.ListField(
        child=serializers.CharField(),
        help_text="What its numbers are called in reports, filters and combinations.",
    )
    signature = serializers.CharField()
    origin = serializers.CharField(help_text="`computed` or `imported`.")
    state = serializers.CharField(
        help_text="`finished`, `waiting`, `running`, `failed`, `cancelled`, `unfinished` (texts "
        "came later) or `imported`."
    )
    error = serializers.CharField(help_text="Why the last attempt stopped.")
    aspect = serializers.CharField()
    compared_to = serializers.CharField()
    text_setting = serializers.CharField()
    scored = serializers.IntegerField(allow_null=True, help_text="Outputs; null if imported.")
    undefined = serializers.IntegerField(help_text="Of these without a score.")
    request = serializers.DictField(help_text="Empty for imported runs.")
    versions = serializers.DictField(help_text="Of libraries and files.")
    created_at = serializers.DateTimeField(allow_null=True)
    job = serializers.URLField(allow_null=True, help_text="That worked on it last.")


class AskedSerializer(serializers.Serializer[Any]):
    """What became of a request."""

    found = RunSerializer(many=True, help_text="Finished before.")
    started = RunSerializer(many=True, help_text="To be computed by `jobs`.")
    refused = serializers.DictField(
        child=serializers.CharField(), help_text="Metrics that cannot be scored: why."
    )
    jobs = JobSerializer(many=True)


class RunsView(APIView):
    """Metric runs of a study."""

    @extend_schema(
        operation_id="study_runs",
        tags=["scores"],
        parameters=[SLUG, *PAGE_PARAMETERS],
        responses={200: page_of(RunSerializer), 400: ErrorSerializer, **FORBIDDEN},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the metric runs of a study, in the order in which they were made."""
        study = study_for(request.user, slug)
        limit, after = read_limit(request), read_after(request) or 0
        runs = sorted(listed_runs(study), key=lambda listed: listed.run.pk)
        found = [listed for listed in runs if listed.run.pk > after]
        more = found[limit - 1].run.pk if len(found) > limit else None
        rows = [_row(request, listed) for listed in found[:limit]]
        return page_response(request, Page(rows, more))

    @extend_schema(
        operation_id="ask_for_runs",
        tags=["scores"],
        parameters=[SLUG],
        request=RunRequestsSerializer,
        responses={
            200: AskedSerializer,
            202: AskedSerializer,
            400: ErrorSerializer,
            **FORBIDDEN,
            403: ErrorSerializer,
            409: ErrorSerializer,
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Score a study's outputs; 202 with the jobs, 200 if everything was finished before.

        What can be scored is, and what cannot is named with the reason; 400 if nothing can.
        """
        study = study_for(request.user, slug, owner=True)
        sent = RunRequestsSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        wanted = sent.validated_data.get("runs")
        requests = [RunRequest(**each) for each in wanted] if wanted else default_requests()
        asked, jobs = ask_for_runs(study, requests, cast(User, request.user))
        if asked.refused and not (asked.found or asked.started):
            raise ValidationError({name: [why] for name, why in asked.refused.items()})
        listed = {each.run.pk: each for each in listed_runs(study)}
        content = {
            "found": [_row(request, listed[run.pk]) for run in asked.found],
            "started": [_row(request, listed[run.pk]) for run in asked.started],
            "refused": asked.refused,
            "jobs": JobSerializer(jobs, many=True, context={"request": request}).data,
        }
        return Response(content, status.HTTP_202_ACCEPTED if jobs else status.HTTP_200_OK)


def _row(request: Request, listed: ListedRun) -> dict[str, Any]:
    run = listed.run
    facts = ("signature", "origin", "aspect", "compared_to", "text_setting", "request")
    job = run.job_id and reverse("api-job", args=[run.job_id], request=request)
    return {name: getattr(run, name) for name in facts} | {
        "id": run.pk,
        "name": run.name,
        "metric": run.metric.name,
        "names": listed.names,
        "state": listed.state,
        "error": listed.error,
        "scored": listed.texts,
        "undefined": listed.undefined,
        "versions": run.versions,
        "created_at": run.created_at,
        "job": job,
    }
