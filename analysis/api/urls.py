"""Addresses of reports in the API, below /api/v1/."""

from django.urls import path

from corpus.pages.later_views import LaterViews

aspects = LaterViews("analysis.api.aspects")
charts = LaterViews("analysis.api.charts")
choosing = LaterViews("analysis.api.choosing")
collections = LaterViews("analysis.api.collections")
judges = LaterViews("analysis.api.judges")
preregistrations = LaterViews("analysis.api.preregistrations")
publications = LaterViews("analysis.api.publications")
sweeps = LaterViews("analysis.api.sweeps")
views = LaterViews("analysis.api.views")

urlpatterns = [
    path("collections/", collections.CollectionsView, name="api-collections"),
    path("collections/<slug:slug>/", collections.CollectionView, name="api-collection"),
    path(
        "collections/<slug:slug>/report/",
        collections.CollectionReportView,
        name="api-collection-report",
    ),
    path(
        "collections/<slug:slug>/runs/", collections.CollectionRunsView, name="api-collection-runs"
    ),
    path("studies/<slug:slug>/aspects/", aspects.AspectsView, name="api-aspects"),
    path("studies/<slug:slug>/judges/", judges.JudgesView, name="api-judges"),
    path(
        "studies/<slug:slug>/preregistrations/",
        preregistrations.PreregistrationsView,
        name="api-preregistrations",
    ),
    path(
        "studies/<slug:slug>/publications/",
        publications.PublicationsView,
        name="api-publications",
    ),
    path(
        "studies/<slug:slug>/publications/check/",
        publications.PublicationChecksView,
        name="api-publication-checks",
    ),
    path(
        "studies/<slug:slug>/publications/<number:pk>/download/",
        publications.PublicationView,
        name="api-publication-download",
    ),
    path(
        "studies/<slug:slug>/chosen-segments/",
        choosing.ChosenSegmentsView,
        name="api-chosen-segments",
    ),
    path("studies/<slug:slug>/sweeps/", sweeps.SweepsView, name="api-sweeps"),
    path("studies/<slug:slug>/sweeps/<number:pk>/", sweeps.SweepView, name="api-sweep"),
    path("studies/<slug:slug>/reports/", views.DocumentView, name="api-reports"),
    path("studies/<slug:slug>/reports/<slug:kind>/", views.ReportView, name="api-report"),
    path("studies/<slug:slug>/reports/<slug:kind>/parts/", charts.PartsView, name="api-parts"),
    path(
        "studies/<slug:slug>/reports/<slug:kind>/charts/<slug:name>/",
        charts.ChartView,
        name="api-chart",
    ),
]
