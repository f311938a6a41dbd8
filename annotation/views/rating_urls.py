"""Addresses of an annotator's own pages, below ``rate/<annotator>/``."""

from django.urls import path

from annotation.views import joining, rating

urlpatterns = [
    path("submit/", rating.submit_answers, name="rate-submit"),
    path("draft/", rating.draft, name="rate-draft"),
    path("", rating.rate, name="rate"),
    path("consent/", joining.consent, name="rate-consent"),
    path("guidelines/", joining.guidelines, name="rate-guidelines"),
    path("guidelines/read/", joining.guidelines_read, name="rate-guidelines-read"),
    path("done/", rating.done, name="rate-done"),
    path("last/", rating.last, name="rate-last"),
    path("leave/", joining.leave_now, name="rate-leave"),
    path("item/<uuid:public_id>/", rating.item, name="rate-item"),
    path("item/<uuid:public_id>/feedback/", rating.feedback, name="rate-feedback"),
]
