"""Addresses of metrics, runs and scores in the API, below /api/v1/."""

from django.urls import path

from metrics.api.registry import MetricsView
from metrics.api.runs import RunsView
from metrics.api.scores import ScoresView
from metrics.api.trials import TrialView

urlpatterns = [
    path("metrics/", MetricsView.as_view(), name="api-metrics"),
    path("studies/<slug:slug>/runs/", RunsView.as_view(), name="api-runs"),
    path("studies/<slug:slug>/try/", TrialView.as_view(), name="api-try"),
    path("studies/<slug:slug>/scores/", ScoresView.as_view(), name="api-scores"),
]
