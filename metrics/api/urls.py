"""Addresses of scores in the API, below /api/v1/."""

from django.urls import path

from metrics.api.scores import ScoresView

urlpatterns = [
    path("studies/<slug:slug>/scores/", ScoresView.as_view(), name="api-scores"),
]
