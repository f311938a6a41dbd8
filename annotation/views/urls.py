"""Addresses of campaigns."""

from django.urls import path

from annotation.views import joining, masks, rating

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
    path(
        "studies/<slug:slug>/campaigns/<str:campaign>/masks/",
        masks.masks,
        name="campaign-masks",
    ),
]
