"""Addresses of a study's metrics."""

from django.urls import path

from metrics import run_views, views

_METRICS = "studies/<slug:slug>/metrics/"

urlpatterns = [
    path(_METRICS, views.metrics, name="study-metrics"),
    path(f"{_METRICS}score/", run_views.score, name="study-score"),
    path(f"{_METRICS}runs/<int:pk>/", run_views.run_page, name="study-run"),
    path(f"{_METRICS}runs/<int:pk>/score/", run_views.score_again, name="study-run-score"),
]
