"""Addresses of campaigns."""

from django.urls import path

from annotation.views import (
    annotator,
    campaigns,
    invitations,
    joining,
    masks,
    practice,
    previews,
    rating,
)

STUDY = "studies/<slug:slug>/campaigns"
CAMPAIGN = f"{STUDY}/<str:campaign>"
PERSON = f"{CAMPAIGN}/annotators/<int:pk>"
urlpatterns = [
    path("join/<str:token>/", joining.join, name="join"),
    path("join-by-code/<str:code>/", joining.join_by_code, name="join-by-code"),
    path("rate/<uuid:annotator_id>/", rating.rate, name="rate"),
    path("rate/<uuid:annotator_id>/consent/", joining.consent, name="rate-consent"),
    path("rate/<uuid:annotator_id>/guidelines/", joining.guidelines, name="rate-guidelines"),
    path(
        "rate/<uuid:annotator_id>/guidelines/read/",
        joining.guidelines_read,
        name="rate-guidelines-read",
    ),
    path("rate/<uuid:annotator_id>/submit/", rating.submit_answers, name="rate-submit"),
    path("rate/<uuid:annotator_id>/draft/", rating.draft, name="rate-draft"),
    path("rate/<uuid:annotator_id>/done/", rating.done, name="rate-done"),
    path("rate/<uuid:annotator_id>/item/<uuid:public_id>/", rating.item, name="rate-item"),
    path(
        "rate/<uuid:annotator_id>/item/<uuid:public_id>/feedback/",
        rating.feedback,
        name="rate-feedback",
    ),
    path(f"{STUDY}/", campaigns.campaigns, name="study-campaigns"),
    path(f"{STUDY}/new/", campaigns.new_campaign, name="campaign-new"),
    path(f"{CAMPAIGN}/edit/", campaigns.edit, name="campaign-edit"),
    path(f"{CAMPAIGN}/discard/", campaigns.discard, name="campaign-discard"),
    path(f"{CAMPAIGN}/preview/", previews.preview, name="campaign-preview"),
    path(f"{CAMPAIGN}/masks/", masks.masks, name="campaign-masks"),
    path(f"{CAMPAIGN}/practice/", practice.practice, name="campaign-practice"),
    path(f"{CAMPAIGN}/try/", previews.try_out, name="campaign-try"),
    path(f"{CAMPAIGN}/start/", campaigns.start_campaign, name="campaign-start"),
    path(f"{CAMPAIGN}/state/", campaigns.state, name="campaign-state"),
    path(f"{CAMPAIGN}/answers.csv", campaigns.history, name="campaign-history"),
    path(f"{CAMPAIGN}/annotators/", invitations.annotators, name="campaign-annotators"),
    path(f"{CAMPAIGN}/annotators/links/", invitations.make_links, name="campaign-links"),
    path(f"{CAMPAIGN}/annotators/links.csv", invitations.links_file, name="campaign-links-file"),
    path(f"{CAMPAIGN}/annotators/add/", invitations.add, name="campaign-add"),
    path(f"{PERSON}/", annotator.annotator, name="campaign-annotator"),
    path(f"{PERSON}/link/", annotator.new_link, name="campaign-new-link"),
    path(f"{PERSON}/revoke/", annotator.revoke, name="campaign-revoke"),
    path(f"{PERSON}/release/", annotator.release, name="campaign-release"),
    path(f"{PERSON}/qualify/", practice.let_go_on, name="campaign-qualify"),
    path(f"{PERSON}/contact/", annotator.contact, name="campaign-contact"),
    path(f"{PERSON}/withdraw/", annotator.withdraw_work, name="campaign-withdraw"),
    path(f"{PERSON}/count-again/", annotator.count_again, name="campaign-count-again"),
]
