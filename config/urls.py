"""Addresses: the one list of every page."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path, re_path

from config import account, sign_in
from corpus.later_views import LaterViews
from corpus.views import jobs

# What renders Markdown is no part of a start.
helping = LaterViews("config.help.views")

handler500 = "config.faults.server_error"
urlpatterns: list[URLPattern | URLResolver] = [
    # The first, because every click of every annotator is looked up here.
    path("rate/<uuid:annotator_id>/", include("annotation.views.rating_urls")),
    path("sign-in/", sign_in.SignInView.as_view(), name="login"),
    path("sign-in/<str:name>/<str:token>/", sign_in.sign_in_once, name="sign-in-once"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("help/", helping.help_page, name="help"),
    path("help/search.html", helping.help_search, name="help-search"),
    path("help/<path:name>.html", helping.help_page, name="help-page"),
    path("help/<path:file>", helping.help_file, name="help-file"),
    path("search/", LaterViews("config.search.views").search, name="search"),
    path("account/", account.account, name="account"),
    path("account/session/end/", account.end_session, name="account-session-end"),
    path("account/sessions/end/", account.end_other_sessions, name="account-sessions-end"),
    path("account/token/", account.make_token, name="account-token"),
    path("account/token/<int:pk>/revoke/", account.revoke_token, name="account-token-revoke"),
    path("jobs/", jobs.job_list, name="job-list"),
    path("jobs/<int:pk>/", jobs.job_page, name="job"),
    path("jobs/cancel/", jobs.cancel_jobs, name="job-cancel-many"),
    path("jobs/<int:pk>/cancel/", jobs.cancel_job, name="job-cancel"),
    path("jobs/<int:pk>/resume/", jobs.resume_job, name="job-resume"),
    path("", include("corpus.views.urls")),
    path("", include("metrics.views.urls")),
    path("", include("annotation.views.urls")),
    path("", include("analysis.views.urls")),
    path("api/v1/", include("corpus.api.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("api/v1/", include("metrics.api.urls")),
    path("api/v1/", include("analysis.api.urls")),
    re_path(r"^api/v1/[\s\S]*/\Z", LaterViews("corpus.api.root").UnknownAddressView),
]
