"""Addresses of campaigns."""

from django.urls import path

from annotation.views import (
    campaign_sets,
    campaigns,
    deletion,
    joining,
    panel,
    people,
    previews,
    raters,
    texts,
)

STUDY = "studies/<slug:slug>/campaigns"
CAMPAIGN = f"{STUDY}/<str:campaign>"
SET = "studies/<slug:slug>/campaign-sets/<str:campaign_set>"
OF_PLACE = [
    ("edit/", campaigns.edit, "edit"),
    ("discard/", campaigns.discard, "discard"),
    ("start/", campaigns.start_campaign, "start"),
    ("state/", campaigns.state, "state"),
    ("panel/", panel.panel, "panel"),
    ("panel/people/", panel.people, "panel-people"),
    ("panel/people.csv", panel.people_file, "panel-people-file"),
    ("panel/statuses/", panel.statuses, "panel-statuses"),
    ("panel/text/", panel.text, "panel-text"),
]
"""Pages below a campaign or a set: address, view and the end of its name."""
OF_PEOPLE = [
    ("links/", people.make_links, "links"),
    ("links.csv", people.links_file, "links-file"),
    ("add/", people.add, "add"),
]
"""Below the list of who rates."""
OF_PERSON = [
    ("link/", people.new_link, "new-link"),
    ("revoke/", people.revoke, "revoke"),
    ("release/", people.release, "release"),
    ("contact/", people.contact, "contact"),
    ("forget/", deletion.forget, "forget"),
]
"""Below the page of one of them."""
PLACES = [
    ("campaign", CAMPAIGN, f"{CAMPAIGN}/annotators", f"{CAMPAIGN}/annotators/<number:pk>"),
    ("campaign-set", SET, SET, f"{SET}/people/<number:pk>"),
]
PERSON = f"{CAMPAIGN}/annotators/<number:pk>"

urlpatterns = [
    path("join/<str:token>/", joining.join, name="join"),
    path("join-by-code/<str:code>/", joining.join_by_code, name="join-by-code"),
    path("studies/<slug:slug>/data/", deletion.data, name="study-data"),
    path("studies/<slug:slug>/scales/", raters.scales, name="study-scales"),
    path("studies/<slug:slug>/annotators/", raters.of_study, name="study-annotators"),
    path(f"{STUDY}/", campaigns.campaigns, name="study-campaigns"),
    path(f"{STUDY}/new/", campaigns.new_campaign, name="campaign-new"),
    path(f"{CAMPAIGN}/delete/", deletion.delete, name="campaign-delete"),
    path(f"{CAMPAIGN}/delete/take-back/", deletion.undelete, name="campaign-undelete"),
    path(f"{CAMPAIGN}/preview/", previews.preview, name="campaign-preview"),
    path(f"{CAMPAIGN}/appendix/", previews.appendix, name="campaign-appendix"),
    path(f"{CAMPAIGN}/appendix.html", previews.appendix_html, name="campaign-appendix-html"),
    path(f"{CAMPAIGN}/masks/", texts.masks, name="campaign-masks"),
    path(f"{CAMPAIGN}/practice/", texts.practice, name="campaign-practice"),
    path(f"{CAMPAIGN}/try/", previews.try_out, name="campaign-try"),
    path(f"{CAMPAIGN}/answers.csv", campaigns.history, name="campaign-history"),
    path(f"{CAMPAIGN}/raters/", raters.raters, name="campaign-raters"),
    path(f"{CAMPAIGN}/raters/kinds/", raters.kinds, name="campaign-rater-kinds"),
    path(f"{CAMPAIGN}/annotators/", people.annotators, name="campaign-annotators"),
    path(f"{PERSON}/", people.person, name="campaign-annotator"),
    path(f"{PERSON}/qualify/", texts.let_go_on, name="campaign-qualify"),
    path(f"{PERSON}/withdraw/", people.withdraw_work, name="campaign-withdraw"),
    path(f"{PERSON}/count-again/", people.count_again, name="campaign-count-again"),
    path(f"{SET}/", campaign_sets.campaign_set, name="campaign-set"),
    path(f"{SET}/people/<number:pk>/", people.person, name="campaign-set-person"),
    *(
        path(f"{below}/{rest}", view, name=f"{place}-{name}")
        for place, *bases in PLACES
        for below, views in zip(bases, (OF_PLACE, OF_PEOPLE, OF_PERSON), strict=True)
        for rest, view, name in views
    ),
]
