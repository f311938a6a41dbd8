"""Addresses of the pages of studies."""

from django.urls import path

from corpus.pages import (
    exports,
    imports,
    mapping,
    members,
    segments,
    studies,
    systems,
)

STUDY = "studies/<slug:slug>"
urlpatterns = [
    path("", studies.home, name="home"),
    path("studies/new/", studies.new_study, name="study-new"),
    path("privacy/", studies.privacy, name="privacy"),
    path(f"{STUDY}/take-back/", studies.take_study_back, name="study-take-back"),
    path(f"{STUDY}/segments/", segments.segments, name="study-segments"),
    path(f"{STUDY}/systems/", systems.systems, name="study-systems"),
    path(f"{STUDY}/members/", members.members, name="study-members"),
    path(f"{STUDY}/members/<number:pk>/role/", members.role, name="study-member-role"),
    path(f"{STUDY}/members/<number:pk>/remove/", members.remove, name="study-member-remove"),
    path(f"{STUDY}/members/invite/", members.make_invitation, name="study-invite"),
    path(
        f"{STUDY}/invitations/<number:pk>/revoke/",
        members.revoke_invitation,
        name="study-invitation-revoke",
    ),
    path("invitations/<str:token>/", members.invitation, name="invitation"),
    path(f"{STUDY}/import/", imports.upload, name="study-import"),
    path(f"{STUDY}/import/<str:upload>/", mapping.mapping, name="study-import-mapping"),
    path(f"{STUDY}/export/", exports.export, name="study-export"),
    path("exports/<number:pk>/", exports.download, name="export-download"),
]
