"""Addresses of a study's metrics."""

from django.urls import path

from metrics.trials.views import try_it
from metrics.views import baselines as baseline_views
from metrics.views import metrics as views
from metrics.views import runs as run_views
from metrics.views import styles as style_views

_METRICS = "studies/<slug:slug>/metrics/"
_STYLES = "studies/<slug:slug>/styles/"

urlpatterns = [
    path("try/", try_it, name="try"),
    path(_METRICS, views.metrics, name="study-metrics"),
    path(f"{_METRICS}score/", run_views.score, name="study-score"),
    path(f"{_METRICS}baselines/", baseline_views.baselines, name="study-baselines"),
    path(f"{_METRICS}runs/<int:pk>/", run_views.run_page, name="study-run"),
    path(f"{_METRICS}runs/<int:pk>/score/", run_views.score_again, name="study-run-score"),
    path(_STYLES, style_views.styles, name="study-styles"),
    path(f"{_STYLES}models/train/", style_views.train_model, name="study-style-train"),
    path(f"{_STYLES}lexicons/train/", style_views.train_lexicon, name="study-lexicon-train"),
    path(f"{_STYLES}lexicons/<int:pk>/", style_views.lexicon, name="study-lexicon"),
]
