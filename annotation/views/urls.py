"""Addresses of campaigns."""

from django.urls import path

from annotation.views import (
    annotator,
    campaign_sets,
    campaigns,
    deletion,
    invitations,
    joining,
    panel,
    previews,
    raters,
    set_people,
    texts,
)

STUDY = "studies/<slug:slug>/campaigns"
CAMPAIGN = f"{STUDY}/<str:campaign>"
PERSON = f"{CAMPAIGN}/annotators/<number:pk>"
SET = "studies/<slug:slug>/campaign-sets/<str:campaign_set>"
PANEL = [
    ("panel/", panel.panel, "panel"),
    ("panel/people/", panel.people, "panel-people"),
    ("panel/people.csv", panel.people_file, "panel-people-file"),
    ("panel/statuses/", panel.statuses, "panel-statuses"),
    ("panel/text/", panel.text, "panel-text"),
]
"""Addresses of a panel, below its campaign or set."""
urlpatterns = [
    path("join/<str:token>/", joining.join, name="join"),
    path("join-by-code/<str:code>/", joining.join_by_code, name="join-by-code"),
    path("panel-events/<str:token>/", panel.receive, name="panel-events"),
    path("studies/<slug:slug>/data/", deletion.data, name="study-data"),
    path("studies/<slug:slug>/scales/", raters.scales, name="study-scales"),
    path("studies/<slug:slug>/annotators/", raters.of_study, name="study-annotators"),
    path(f"{STUDY}/", campaigns.campaigns, name="study-campaigns"),
    path(f"{STUDY}/new/", campaigns.new_campaign, name="campaign-new"),
    path(f"{CAMPAIGN}/edit/", campaigns.edit, name="campaign-edit"),
    path(f"{CAMPAIGN}/discard/", campaigns.discard, name="campaign-discard"),
    path(f"{CAMPAIGN}/delete/", deletion.delete, name="campaign-delete"),
    path(f"{CAMPAIGN}/delete/take-back/", deletion.undelete, name="campaign-undelete"),
    path(f"{CAMPAIGN}/preview/", previews.preview, name="campaign-preview"),
    path(f"{CAMPAIGN}/appendix/", previews.appendix, name="campaign-appendix"),
    path(f"{CAMPAIGN}/appendix.html", previews.appendix_html, name="campaign-appendix-html"),
    path(f"{CAMPAIGN}/appendix.pdf", previews.appendix_pdf, name="campaign-appendix-pdf"),
    path(f"{CAMPAIGN}/masks/", texts.masks, name="campaign-masks"),
    path(f"{CAMPAIGN}/practice/", texts.practice, name="campaign-practice"),
    path(f"{CAMPAIGN}/try/", previews.try_out, name="campaign-try"),
    path(f"{CAMPAIGN}/start/", campaigns.start_campaign, name="campaign-start"),
    path(f"{CAMPAIGN}/state/", campaigns.state, name="campaign-state"),
    path(f"{CAMPAIGN}/answers.csv", campaigns.history, name="campaign-history"),
    path(f"{CAMPAIGN}/raters/", raters.raters, name="campaign-raters"),
    path(f"{CAMPAIGN}/raters/kinds/", raters.kinds, name="campaign-rater-kinds"),
    path(f"{CAMPAIGN}/annotators/", invitations.annotators, name="campaign-annotators"),
    path(f"{CAMPAIGN}/annotators/links/", invitations.make_links, name="campaign-links"),
    path(f"{CAMPAIGN}/annotators/links.csv", invitations.links_file, name="campaign-links-file"),
    path(f"{CAMPAIGN}/annotators/add/", invitations.add, name="campaign-add"),
    path(f"{PERSON}/", annotator.annotator, name="campaign-annotator"),
    path(f"{PERSON}/link/", annotator.new_link, name="campaign-new-link"),
    path(f"{PERSON}/revoke/", annotator.revoke, name="campaign-revoke"),
    path(f"{PERSON}/release/", annotator.release, name="campaign-release"),
    path(f"{PERSON}/qualify/", texts.let_go_on, name="campaign-qualify"),
    path(f"{PERSON}/contact/", annotator.contact, name="campaign-contact"),
    path(f"{PERSON}/forget/", deletion.forget_annotator, name="campaign-forget"),
    path(f"{PERSON}/withdraw/", annotator.withdraw_work, name="campaign-withdraw"),
    path(f"{PERSON}/count-again/", annotator.count_again, name="campaign-count-again"),
    path(f"{SET}/", campaign_sets.campaign_set, name="campaign-set"),
    path(f"{SET}/edit/", campaign_sets.edit, name="campaign-set-edit"),
    path(f"{SET}/start/", campaign_sets.start, name="campaign-set-start"),
    path(f"{SET}/state/", campaign_sets.state, name="campaign-set-state"),
    path(f"{SET}/discard/", campaign_sets.discard, name="campaign-set-discard"),
    path(f"{SET}/links/", set_people.make_links, name="campaign-set-links"),
    path(f"{SET}/links.csv", set_people.links_file, name="campaign-set-links-file"),
    path(f"{SET}/add/", set_people.add, name="campaign-set-add"),
    path(f"{SET}/people/<number:pk>/", set_people.person, name="campaign-set-person"),
    path(f"{SET}/people/<number:pk>/link/", set_people.new_link, name="campaign-set-new-link"),
    path(f"{SET}/people/<number:pk>/revoke/", set_people.revoke, name="campaign-set-revoke"),
    path(f"{SET}/people/<number:pk>/release/", set_people.release, name="campaign-set-release"),
    path(f"{SET}/people/<number:pk>/contact/", set_people.contact, name="campaign-set-contact"),
    path(
        f"{SET}/people/<number:pk>/forget/", deletion.forget_participant, name="campaign-set-forget"
    ),
    *(
        path(f"{base}/{rest}", view, name=f"{place}-{name}")
        for base, place in ((CAMPAIGN, "campaign"), (SET, "campaign-set"))
        for rest, view, name in PANEL
    ),
]
