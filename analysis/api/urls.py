"""Addresses of reports in the API, below /api/v1/."""

from django.urls import path

from corpus.pages.later_views import LaterViews

collections = LaterViews("analysis.api.collections")
jobs = LaterViews("analysis.api.jobs")
publications = LaterViews("analysis.api.publications")
ratings = LaterViews("analysis.api.ratings")
reports = LaterViews("analysis.api.reports")

COLLECTION, STUDY = "collections/<slug:slug>/", "studies/<slug:slug>/"
REPORT, PUBLICATIONS = f"{STUDY}reports/<slug:kind>/", f"{STUDY}publications/"

urlpatterns = [
    path("collections/", collections.CollectionsView, name="api-collections"),
    path(COLLECTION, collections.CollectionView, name="api-collection"),
    path(f"{COLLECTION}report/", collections.CollectionReportView, name="api-collection-report"),
    path(f"{COLLECTION}runs/", collections.CollectionRunsView, name="api-collection-runs"),
    path(f"{STUDY}aspects/", ratings.AspectsView, name="api-aspects"),
    path(f"{STUDY}preregistrations/", ratings.PreregistrationsView, name="api-preregistrations"),
    path(f"{STUDY}judges/", jobs.JudgesView, name="api-judges"),
    path(f"{STUDY}chosen-segments/", jobs.ChosenSegmentsView, name="api-chosen-segments"),
    path(f"{STUDY}sweeps/", jobs.SweepsView, name="api-sweeps"),
    path(f"{STUDY}sweeps/<number:pk>/", jobs.SweepView, name="api-sweep"),
    path(PUBLICATIONS, publications.PublicationsView, name="api-publications"),
    path(
        f"{PUBLICATIONS}check/", publications.PublicationChecksView, name="api-publication-checks"
    ),
    path(
        f"{PUBLICATIONS}<number:pk>/download/",
        publications.PublicationView,
        name="api-publication-download",
    ),
    path(f"{STUDY}reports/", reports.DocumentView, name="api-reports"),
    path(REPORT, reports.ReportView, name="api-report"),
    path(f"{REPORT}parts/", reports.PartsView, name="api-parts"),
    path(f"{REPORT}charts/<slug:name>/", reports.ChartView, name="api-chart"),
]
