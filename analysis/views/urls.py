"""Addresses of the report pages and their files."""

from django.urls import path

from analysis.views import (
    agreement,
    correlation,
    disagreement,
    files,
    monitor,
    ranking,
    replication,
)

STUDY = "studies/<slug:slug>"
urlpatterns = [
    path(f"{STUDY}/agreement/", agreement.agreement, name="study-agreement"),
    path(f"{STUDY}/correlation/", correlation.correlation, name="study-correlation"),
    path(f"{STUDY}/disagreement/", disagreement.disagreement, name="study-disagreement"),
    path(f"{STUDY}/ranking/", ranking.ranking, name="study-ranking"),
    path(f"{STUDY}/replication/", replication.replication, name="study-replication"),
    path(f"{STUDY}/campaigns/<str:campaign>/", monitor.monitor, name="campaign"),
    path(
        f"{STUDY}/<slug:kind>/tables/<slug:name>.<str:file_format>",
        files.table_file,
        name="report-table",
    ),
    path(
        f"{STUDY}/<slug:kind>/charts/<slug:name>.<str:file_format>",
        files.chart_file,
        name="report-chart",
    ),
    path(f"{STUDY}/reports/<int:pk>/again/", files.try_again, name="report-again"),
]
