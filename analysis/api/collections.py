"""Collections of studies: making and changing them, what they compare, adding a metric."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from analysis.api.reports import PARAMETERS, RESPONSES, JsonUnlessAskedOtherwise, answered, waiting
from analysis.collections.adding import run_metric
from analysis.collections.changing import (
    CollectionError,
    change_collection,
    collection_for,
    create_collection,
    delete_collection,
)
from analysis.collections.content import STATISTICS
from analysis.collections.presets import PRESETS, tasks_of_preset
from analysis.collections.service import comparison_or_job
from analysis.collections.tables import tables_of
from analysis.models import Collection, CollectionTask
from corpus.access.guard import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import JobSerializer
from corpus.api.paging import BySlug
from corpus.api.studies import FORBIDDEN, REFUSED, BodyView
from corpus.models import Job
from metrics.scorers.registry import UnknownMetric

SLUG = OpenApiParameter(
    "slug",
    {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    OpenApiParameter.PATH,
    description="Collection",
)
BY = OpenApiParameter(
    "by",
    OpenApiTypes.STR,
    description="Name of a metric: systems by its scores are compared, instead of metrics.",
)


class CollectionTaskSerializer(serializers.ModelSerializer[CollectionTask]):
    """One statistic on one study, with its weight in the average."""

    study = serializers.SlugField(source="study.slug", max_length=100)
    name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    statistic = serializers.ChoiceField(choices=list(STATISTICS))
    weight = serializers.FloatField(required=False, default=1.0)
    human_ties = serializers.ChoiceField(
        choices=["exact", "rounded"],
        required=False,
        default="exact",
        help_text="Of calibrated ties: equal human scores, or up to rounding.",
    )
    question = serializers.DictField(
        required=False, default=dict, help_text="Fields of the filter of reports."
    )

    class Meta:
        model = CollectionTask
        fields = (
            *("study", "name", "statistic", "weight", "pool", "standard_reference"),
            *("human_ties", "question"),
        )


class CollectionSerializer(serializers.ModelSerializer[Collection]):
    """A collection with its tasks."""

    url = serializers.HyperlinkedIdentityField(view_name="api-collection", lookup_field="slug")
    report = serializers.SerializerMethodField(help_text="Address of what it compares.")
    tasks = CollectionTaskSerializer(many=True)

    class Meta:
        model = Collection
        fields = (
            *("url", "slug", "title", "description", "preset", "unit_range", "correction"),
            *("draws", "seed", "tasks", "report", "created_at"),
        )
        read_only_fields = fields

    def get_report(self, collection: Collection) -> str:
        """Give the address of the comparison."""
        request = self.context["request"]
        return reverse("api-collection-report", args=[collection.slug], request=request)


class ChangedCollectionSerializer(serializers.ModelSerializer[Collection]):
    """Settings of a collection and, in place of its tasks, others."""

    tasks = CollectionTaskSerializer(many=True, required=False)

    class Meta:
        model = Collection
        fields = ("title", "description", "unit_range", "correction", "draws", "seed", "tasks")
        extra_kwargs = {name: {"required": False} for name in fields[:-1]}


class NewCollectionSerializer(ChangedCollectionSerializer):
    """A new collection: studies and a preset that makes the tasks, or tasks."""

    slug = serializers.SlugField(max_length=100)
    preset = serializers.ChoiceField(
        choices=list(PRESETS), required=False, help_text="Makes the tasks, of `studies`."
    )
    studies = serializers.ListField(
        child=serializers.SlugField(max_length=100), required=False, default=list, max_length=200
    )
    aspect = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True, help_text="For a preset."
    )

    class Meta(ChangedCollectionSerializer.Meta):
        fields = (  # type: ignore[assignment]
            *("slug", "preset", "studies", "aspect"),
            *ChangedCollectionSerializer.Meta.fields,
        )


class CollectionRunSerializer(serializers.Serializer[Any]):
    """A metric to be computed in every study of a collection that you own."""

    metric = serializers.CharField(max_length=200, help_text="Key of a metric, see `metrics/`.")
    parameters = serializers.DictField(required=False, default=dict)


class AddedMetricSerializer(serializers.Serializer[Any]):
    """What became of the metric in each study."""

    jobs = JobSerializer(many=True)
    refused = serializers.DictField(
        child=serializers.CharField(), help_text="Study to why it is not computed there."
    )


class OfCollection(BodyView):
    """A view of the collection that the address names; who may not see it finds nothing."""

    tag = "collections"
    parameters: tuple[OpenApiParameter, ...] = (SLUG,)
    owner_methods: tuple[str, ...] = ("PATCH", "DELETE")
    collection: Collection

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find the collection before anything else is looked at."""
        super().initial(request, *args, **kwargs)
        change = request.method in self.owner_methods
        self.collection = collection_for(request.user, self.kwargs["slug"], change=change)


class CollectionsView(BodyView, ListAPIView[Collection]):
    """List the collections that you may open: those all of whose studies you may open."""

    tag = "collections"
    operation_ids = {"GET": "collections", "POST": "create_collection"}
    serializer_class = CollectionSerializer
    body_serializer_class = NewCollectionSerializer
    pagination_class = BySlug

    def get_queryset(self) -> QuerySet[Collection]:
        """Return the collections with their tasks."""
        return Collection.objects.visible_to(self.request.user).prefetch_related("tasks__study")

    @extend_schema(responses={201: CollectionSerializer, **FORBIDDEN})
    def post(self, request: Request) -> Response:
        """Make a collection, which you then own, of studies that you may open."""
        given = self.read_body()
        preset, aspect = given.pop("preset", ""), given.pop("aspect")
        studies = [study_for(request.user, slug) for slug in given.pop("studies")]
        tasks = _tasks(request, given.pop("tasks", []))
        try:
            if preset:
                tasks = [*tasks_of_preset(preset, studies, aspect=aspect), *tasks]
                given = {**PRESETS[preset].settings, "preset": preset, **given}
            made = create_collection(
                given.pop("slug"), given.pop("title", ""), tasks, self.signed_in_user, **given
            )
        except CollectionError as error:
            raise ValidationError({"detail": str(error)}) from None
        content = CollectionSerializer(made, context=self.get_serializer_context()).data
        return Response(content, status.HTTP_201_CREATED, headers={"Location": content["url"]})


class CollectionView(OfCollection, RetrieveAPIView[Collection]):
    """A collection with its tasks."""

    operation_ids = {
        "GET": "collection",
        "PATCH": "change_collection",
        "DELETE": "delete_collection",
    }
    serializer_class = CollectionSerializer
    body_serializer_class = ChangedCollectionSerializer

    def get_object(self) -> Collection:
        """Return the collection."""
        return self.collection

    @extend_schema(responses={200: CollectionSerializer, **FORBIDDEN, 403: ErrorSerializer})
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings; `tasks`, if given, take the place of all tasks."""
        given = self.read_body()
        tasks = _tasks(request, given.pop("tasks")) if "tasks" in given else None
        try:
            changed = change_collection(self.collection, self.signed_in_user, tasks, **given)
        except CollectionError as error:
            raise ValidationError({"detail": str(error)}) from None
        return Response(CollectionSerializer(changed, context=self.get_serializer_context()).data)

    @extend_schema(responses={204: None, **FORBIDDEN, 403: ErrorSerializer})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a collection; its studies stay as they are."""
        delete_collection(self.collection, self.signed_in_user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class CollectionReportView(OfCollection):
    """What a collection compares."""

    operation_ids = {"GET": "collection_report"}
    parameters = (SLUG, BY, *PARAMETERS)
    content_negotiation_class = JsonUnlessAskedOtherwise

    @extend_schema(responses=RESPONSES)
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Return metrics over all tasks and systems by people, or the job that computes them.

        Every number has its interval, n, rank and signature; every two metrics, and systems, have
        the p-values of their tests. With `format=csv` its tables come instead: the one that
        `table` names, or a zip of all of them.
        """
        if not self.collection.tasks.exists():
            raise ValidationError({"detail": "this collection has no tasks"})
        by = request.query_params.get("by", "")
        found = comparison_or_job(self.collection, self.signed_in_user, by)
        if isinstance(found, Job):
            return waiting(request, [found])
        return answered(request, found, slug, tables_of=tables_of)


class CollectionRunsView(OfCollection):
    """Computing a metric in every study of a collection."""

    operation_ids = {"POST": "run_metric_over_collection"}
    body_serializer_class = CollectionRunSerializer

    @extend_schema(responses={202: AddedMetricSerializer, **FORBIDDEN, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Compute a metric in every study that you own; it takes its place when jobs are done."""
        given = self.read_body()
        try:
            added = run_metric(
                self.collection, given["metric"], self.signed_in_user, given["parameters"]
            )
        except UnknownMetric as error:
            raise ValidationError({"detail": str(error)}) from None
        jobs = [job for each in added for job in each.jobs]
        content = {
            "jobs": JobSerializer(jobs, many=True, context={"request": request}).data,
            "refused": {each.study.slug: each.refused for each in added if each.refused},
        }
        return Response(content, status.HTTP_202_ACCEPTED)


def _tasks(request: Request, given: list[dict[str, Any]]) -> list[CollectionTask]:
    return [
        CollectionTask(**{**task, "study": study_for(request.user, task["study"]["slug"])})
        for task in given
    ]
