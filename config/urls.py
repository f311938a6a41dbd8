"""Addresses: the one list of every page."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, include, path, re_path

from config import account, sign_in
from corpus.later_views import LaterViews
from corpus.views import jobs

# What renders Markdown, or few people open, is no part of a start.
helping = LaterViews("config.help.views")
# What speaks to the provider brings its own libraries.
open_id = LaterViews("config.open_id.views")
# What sends mail is asked for seldom.
account_address = LaterViews("config.account_address")
second_factor = LaterViews("config.second_factor.views")
resetting = LaterViews("config.password_reset.views")
administering = LaterViews("config.administration.views")

handler500 = "config.faults.server_error"
urlpatterns: list[URLPattern | URLResolver] = [
    # The first, because every click of every annotator is looked up here.
    path("rate/<uuid:annotator_id>/", include("annotation.views.rating_urls")),
    path("sign-in/", sign_in.SignInView.as_view(), name="login"),
    path("sign-in/provider/", open_id.begin, name="open-id"),
    path("sign-in/provider/back/", open_id.come_back, name="open-id-back"),
    path("sign-in/code/", second_factor.enter_code, name="sign-in-code"),
    path("sign-in/reset/", resetting.AskView, name="password-reset"),
    path("sign-in/reset/sent/", resetting.SentView, name="password-reset-sent"),
    path(
        "sign-in/reset/<str:uidb64>/<str:token>/",
        resetting.ChooseView,
        name="password-reset-choose",
    ),
    path("sign-in/<str:name>/<str:token>/", sign_in.sign_in_once, name="sign-in-once"),
    path("sign-out/", LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("help/", helping.help_page, name="help"),
    path("help/search.html", helping.help_search, name="help-search"),
    path("help/<path:name>.html", helping.help_page, name="help-page"),
    path("help/<path:file>", helping.help_file, name="help-file"),
    path("search/", LaterViews("config.search.views").search, name="search"),
    path("account/", account.account, name="account"),
    path("account/address/", account_address.ask, name="account-address"),
    path("account/address/<str:token>/", account_address.confirm, name="account-address-confirm"),
    path("account/second-factor/", second_factor.second_factor, name="second-factor"),
    path("account/second-factor/change/", second_factor.change, name="second-factor-change"),
    path("account/session/end/", account.end_session, name="account-session-end"),
    path("account/sessions/end/", account.end_other_sessions, name="account-sessions-end"),
    path("account/token/", account.make_token, name="account-token"),
    path("account/token/<number:pk>/revoke/", account.revoke_token, name="account-token-revoke"),
    path("administration/", administering.administration, name="administration"),
    path("administration/examine/", administering.examine, name="administration-examine"),
    path("administration/log/", administering.log_page, name="administration-log"),
    path("administration/log.csv", administering.log_file, name="administration-log-file"),
    path("jobs/", jobs.job_list, name="job-list"),
    path("jobs/<number:pk>/", jobs.job_page, name="job"),
    path("jobs/cancel/", jobs.cancel_jobs, name="job-cancel-many"),
    path("jobs/<number:pk>/cancel/", jobs.cancel_job, name="job-cancel"),
    path("jobs/<number:pk>/resume/", jobs.resume_job, name="job-resume"),
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
