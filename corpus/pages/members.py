"""The members of a study, and invitations to it."""

from collections.abc import Callable
from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from corpus.access.guard import may_change, study_view
from corpus.access.invitations import (
    InvitationError,
    accept,
    invite,
    withdraw_invitation,
    working_invitation,
)
from corpus.access.members import (
    MemberError,
    add_member,
    change_role,
    open_addresses,
    remove_member,
)
from corpus.models import Membership, Study
from corpus.pages.forms import InvitationForm, MemberForm, RoleForm
from corpus.pages.frame import actor, page_with_form, study_frame


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def members(request: HttpRequest, study: Study) -> HttpResponse:
    """List the members; by POST, add one."""
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and form.person is not None:
        try:
            added = add_member(study, form.person, form.cleaned_data["role"], actor(request))
        except MemberError as error:
            form.add_error("username", str(error))
        else:
            messages.success(request, f"{added.user} is now a member of this study.")
            return redirect("study-members", study.slug)
    return members_page(request, study, form, InvitationForm(prefix="invitation"))


def members_page(
    request: HttpRequest, study: Study, form: MemberForm, invitation_form: InvitationForm
) -> HttpResponse:
    """Return the list of members and invitations with both forms."""
    context = study_frame(study, "study-members", "Members") | {
        "members": study.memberships.select_related("user").order_by("user__username"),
        "invitations": study.invitations.select_related("invited_by", "accepted_by"),
        "addresses": open_addresses(study),
        "now": timezone.now(),
        "roles": Membership.Role.choices,
        "form": form,
        "invitation_form": invitation_form,
    }
    return page_with_form(request, "corpus/members.html", context)


@require_POST
@study_view(owner=True)
def role(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Give a member another role."""
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a role: owner or researcher.")
        return redirect("study-members", study.slug)
    wanted = form.cleaned_data["role"]
    return _after(
        request, study, lambda actor: change_role(study, pk, wanted, actor), "has another role now"
    )


@require_POST
@study_view(owner=True)
def remove(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Take a person out of the study."""
    also = "addresses" in request.POST
    return _after(
        request,
        study,
        lambda actor: remove_member(study, pk, actor, with_addresses=also),
        "is no longer a member",
    )


def _after(
    request: HttpRequest, study: Study, change: Callable[[User], Membership], words: str
) -> HttpResponse:
    """Change a membership and go back; who gave up the study goes where they still may."""
    try:
        changed = change(actor(request))
    except MemberError as error:
        messages.error(request, f"Nothing was changed: {error}.")
        return redirect("study-members", study.slug)
    messages.success(request, f"{changed.user} {words}.")
    owned = may_change(request.user, study)
    if owned and (changed.pk is None or changed.role != Membership.Role.OWNER):
        messages.info(request, _what_goes_on(study))
    if owned:
        return redirect("study-members", study.slug)
    is_member = Study.objects.visible_to(request.user).filter(pk=study.pk).exists()
    return redirect("study", study.slug) if is_member else redirect("home")


def _what_goes_on(study: Study) -> str:
    """Say what somebody who managed the study may still know."""
    working = open_addresses(study)
    listed = f"These work without signing in, for whoever knows them: {', '.join(working)}. "
    return (
        f"Invitations that they made and nobody accepted have ended. {listed if working else ''}"
        "Personal links of annotators go on working: make new ones on the pages of campaigns if "
        "they may have kept some."
    )


@require_POST
@never_cache
@study_view(owner=True)
def make_invitation(request: HttpRequest, study: Study) -> HttpResponse:
    """Make an invitation and show its link, this once."""
    form = InvitationForm(request.POST, prefix="invitation")
    if not form.is_valid():
        return members_page(request, study, MemberForm(), form)
    values = form.cleaned_data
    made, token = invite(study, values["role"], values["note"], values["days"], actor(request))
    context = study_frame(study, "study-members", "Invitation link") | {
        "invitation": made,
        "role": Membership.Role(made.role).name.lower(),
        "address": request.build_absolute_uri(reverse("invitation", args=[token])),
    }
    return render(request, "corpus/invitation_link.html", context)


@require_POST
@study_view(owner=True)
def revoke_invitation(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Take an invitation off the list; its link stops working."""
    if withdraw_invitation(study, pk, actor(request)):
        messages.success(request, "The invitation was revoked; its link no longer works.")
    return redirect("study-members", study.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password1", "password2")
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Say what a link invites to; by POST, join with the account or with a new one."""
    found = working_invitation(token)
    if found is None:
        return render(request, "corpus/invitation_over.html", status=403)
    form: UserCreationForm[User] | None = None
    if not request.user.is_authenticated and settings.PASSWORD_SIGN_IN:
        form = UserCreationForm(request.POST if request.method == "POST" else None)
        form.fields["username"].widget.attrs.pop("autofocus", None)
    may_join = request.user.is_authenticated or (form is not None and form.is_valid())
    if request.method == "POST" and may_join:
        try:
            with transaction.atomic():
                person = cast(User, request.user if form is None else form.save())
                joined = accept(token, person)
        except InvitationError as error:
            messages.error(request, f"You did not join: {error}.")
            return redirect("invitation", token)
        if form is not None:
            login(request, person, backend="django.contrib.auth.backends.ModelBackend")
        messages.success(request, f"Welcome to {joined.study}.")
        return redirect("study", joined.study.slug)
    context = {
        "invitation": found,
        "role": Membership.Role(found.role).name.lower(),
        "form": form,
        "is_member": request.user.is_authenticated
        and found.study.memberships.filter(user=request.user).exists(),
        "here": reverse("invitation", args=[token]),
    }
    return page_with_form(request, "corpus/invitation.html", context)
