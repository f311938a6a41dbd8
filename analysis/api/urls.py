"""Addresses of reports in the API, below /api/v1/."""

from django.urls import path

from analysis.api.aspects import AspectsView
from analysis.api.sweeps import SweepsView, SweepView
from analysis.api.views import DocumentView, ReportView

urlpatterns = [
    path("studies/<slug:slug>/aspects/", AspectsView.as_view(), name="api-aspects"),
    path("studies/<slug:slug>/sweeps/", SweepsView.as_view(), name="api-sweeps"),
    path("studies/<slug:slug>/sweeps/<int:pk>/", SweepView.as_view(), name="api-sweep"),
    path("studies/<slug:slug>/reports/", DocumentView.as_view(), name="api-reports"),
    path("studies/<slug:slug>/reports/<slug:kind>/", ReportView.as_view(), name="api-report"),
]
