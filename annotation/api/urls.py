"""Addresses of judgements in the API, below /api/v1/."""

from django.urls import path

from corpus.pages.later_views import LaterViews

ratings = LaterViews("annotation.api.ratings")

urlpatterns = [path("studies/<slug:slug>/ratings/", ratings.RatingsView, name="api-ratings")]
