"""Addresses of studies, texts, imports, exports and jobs in the API, below /api/v1/."""

from django.urls import path

from corpus.pages.later_views import LaterViews

documentation = LaterViews("corpus.api.root")
exports = LaterViews("corpus.api.archives")
imports = LaterViews("corpus.api.archives")
jobs = LaterViews("corpus.api.jobs")
root = LaterViews("corpus.api.root")
schema = LaterViews("drf_spectacular.views")
studies = LaterViews("corpus.api.studies")
texts = LaterViews("corpus.api.texts")

_STUDY = "studies/<slug:slug>/"

urlpatterns = [
    path("", root.RootView, name="api-root"),
    path("docs/", documentation.documentation_page, name="api-docs"),
    path("schema/", schema.SpectacularAPIView, name="api-schema"),
    path("studies/", studies.StudiesView, name="api-studies"),
    path(_STUDY, studies.StudyView, name="api-study"),
    path(f"{_STUDY}segments/", texts.SegmentsView, name="api-segments"),
    path(f"{_STUDY}systems/", texts.SystemsView, name="api-systems"),
    path(f"{_STUDY}outputs/", texts.OutputsView, name="api-outputs"),
    path(f"{_STUDY}imports/", imports.ImportsView, name="api-imports"),
    path(f"{_STUDY}exports/", exports.ExportsView, name="api-exports"),
    path(
        f"{_STUDY}exports/<number:pk>/download/", exports.DownloadView, name="api-export-download"
    ),
    path("jobs/<number:pk>/", jobs.JobView, name="api-job"),
    path("jobs/<number:pk>/cancel/", jobs.CancelView, name="api-job-cancel"),
    path("jobs/<number:pk>/resume/", jobs.ResumeView, name="api-job-resume"),
]
