"""Addresses of judgements in the API, below /api/v1/."""

from django.urls import path

from annotation.api.ratings import RatingsView

urlpatterns = [path("studies/<slug:slug>/ratings/", RatingsView.as_view(), name="api-ratings")]
