"""Addresses of studies, texts, imports, exports and jobs in the API, below /api/v1/."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from corpus.api.documentation import documentation_page
from corpus.api.exports import DownloadView, ExportsView
from corpus.api.imports import ImportsView
from corpus.api.jobs import CancelView, JobView, ResumeView
from corpus.api.root import RootView
from corpus.api.studies import StudiesView, StudyView
from corpus.api.texts import OutputsView, SegmentsView, SystemsView

_STUDY = "studies/<slug:slug>/"

urlpatterns = [
    path("", RootView.as_view(), name="api-root"),
    path("docs/", documentation_page, name="api-docs"),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("studies/", StudiesView.as_view(), name="api-studies"),
    path(_STUDY, StudyView.as_view(), name="api-study"),
    path(f"{_STUDY}segments/", SegmentsView.as_view(), name="api-segments"),
    path(f"{_STUDY}systems/", SystemsView.as_view(), name="api-systems"),
    path(f"{_STUDY}outputs/", OutputsView.as_view(), name="api-outputs"),
    path(f"{_STUDY}imports/", ImportsView.as_view(), name="api-imports"),
    path(f"{_STUDY}exports/", ExportsView.as_view(), name="api-exports"),
    path(f"{_STUDY}exports/<int:pk>/download/", DownloadView.as_view(), name="api-export-download"),
    path("jobs/<int:pk>/", JobView.as_view(), name="api-job"),
    path("jobs/<int:pk>/cancel/", CancelView.as_view(), name="api-job-cancel"),
    path("jobs/<int:pk>/resume/", ResumeView.as_view(), name="api-job-resume"),
]
