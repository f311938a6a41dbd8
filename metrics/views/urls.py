"""Addresses of a study's metrics."""

from django.urls import path

from corpus.pages.later_views import LaterViews

trials = LaterViews("metrics.trials.views")
made_systems, metrics, styles = (
    LaterViews(f"metrics.views.{name}") for name in ("made_systems", "metrics", "styles")
)

_METRICS = "studies/<slug:slug>/metrics/"
_STYLES = "studies/<slug:slug>/styles/"
_WRITERS = "studies/<slug:slug>/writers/"

urlpatterns = [
    path("try/", trials.try_it, name="try"),
    path(_METRICS, metrics.metrics, name="study-metrics"),
    path(f"{_METRICS}score/", metrics.score, name="study-score"),
    path(f"{_METRICS}baselines/", made_systems.baselines, name="study-baselines"),
    path(f"{_METRICS}runs/<number:pk>/", metrics.run_page, name="study-run"),
    path(f"{_METRICS}runs/<number:pk>/score/", metrics.score_again, name="study-run-score"),
    path("studies/<slug:slug>/write/", made_systems.write, name="study-write"),
    path(f"{_METRICS}runs/<number:pk>/answers.csv", metrics.answers, name="study-run-answers"),
    path(f"{_WRITERS}train/", styles.train_writer, name="study-writer-train"),
    path(f"{_WRITERS}<number:pk>/", styles.writer_model, name="study-writer-model"),
    path(_STYLES, styles.styles, name="study-styles"),
    path(f"{_STYLES}models/train/", styles.train_model, name="study-style-train"),
    path(f"{_STYLES}lexicons/train/", styles.train_lexicon, name="study-lexicon-train"),
    path(f"{_STYLES}lexicons/<number:pk>/", styles.lexicon, name="study-lexicon"),
]
