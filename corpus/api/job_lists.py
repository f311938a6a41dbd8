"""Lists of a study's jobs of one kind, latest first."""

from django.db.models import QuerySet
from rest_framework.generics import ListAPIView

from corpus.api.jobs import JobSerializer
from corpus.api.paging import LatestFirst
from corpus.api.studies import OfStudy
from corpus.models import Job


class StudyJobsView(OfStudy, ListAPIView[Job]):
    """Jobs of one kind; owners ask for more."""

    kind: str
    serializer_class = JobSerializer
    pagination_class = LatestFirst

    def get_queryset(self) -> QuerySet[Job]:
        """Return the jobs of the study."""
        return Job.objects.filter(study=self.study, kind=self.kind).select_related("study")
