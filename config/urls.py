"""Addresses: the one list of every page."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from corpus.pages import jobs
from corpus.pages.later_views import LaterViews

# What renders Markdown, or few people open, is no part of a start.
helping = LaterViews("config.help.views")
administering = LaterViews("config.administration.views")

handler500 = "config.faults.server_error"
urlpatterns: list[URLPattern | URLResolver] = [
    # The first, because every click of every annotator is looked up here.
    path("rate/<uuid:annotator_id>/", include("annotation.views.rating_urls")),
    path("", include("config.accounts.urls")),
    path("admin/", admin.site.urls),
    path("help/", helping.help_page, name="help"),
    path("help/search.html", helping.help_search, name="help-search"),
    path("help/<path:name>.html", helping.help_page, name="help-page"),
    path("help/<path:file>", helping.help_file, name="help-file"),
    path("search/", LaterViews("config.search.views").search, name="search"),
    path("administration/", administering.administration, name="administration"),
    path("administration/examine/", administering.examine, name="administration-examine"),
    path("administration/log/", administering.log_page, name="administration-log"),
    path("administration/log.csv", administering.log_file, name="administration-log-file"),
    path("jobs/", jobs.job_list, name="job-list"),
    path("jobs/<number:pk>/", jobs.job_page, name="job"),
    path("jobs/cancel/", jobs.cancel_jobs, name="job-cancel-many"),
    path("jobs/<number:pk>/cancel/", jobs.cancel_job, name="job-cancel"),
    path("jobs/<number:pk>/resume/", jobs.resume_job, name="job-resume"),
    path("", include("corpus.pages.urls")),
    path("", include("metrics.views.urls")),
    path("", include("annotation.views.urls")),
    path("", include("analysis.views.urls")),
    path("api/v1/", include("corpus.api.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("api/v1/", include("metrics.api.urls")),
    path("api/v1/", include("analysis.api.urls")),
    re_path(r"^api/v1/[\s\S]*/\Z", LaterViews("corpus.api.root").UnknownAddressView),
]
