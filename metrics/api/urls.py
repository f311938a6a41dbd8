"""Addresses of metrics, runs and scores in the API, below /api/v1/."""

from django.urls import path

from corpus.pages.later_views import LaterViews

runs = LaterViews("metrics.api.runs")
scores = LaterViews("metrics.api.scores")
writing = LaterViews("metrics.api.writing")
training = LaterViews("metrics.api.training")

urlpatterns = [
    path("metrics/", runs.MetricsView, name="api-metrics"),
    path("studies/<slug:slug>/runs/", runs.RunsView, name="api-runs"),
    path("studies/<slug:slug>/try/", scores.TrialView, name="api-try"),
    path("writers/", writing.WritersView, name="api-writers"),
    path("studies/<slug:slug>/writings/", writing.WritingsView, name="api-writings"),
    path("studies/<slug:slug>/style-models/", training.StyleModelsView, name="api-style-models"),
    path("studies/<slug:slug>/writer-models/", training.WriterModelsView, name="api-writer-models"),
    path("studies/<slug:slug>/scores/", scores.ScoresView, name="api-scores"),
]
