"""Invitations to a study: made and revoked by owners, accepted by whom they were sent to."""

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
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from corpus.access.guard import study_view
from corpus.access.invitations import (
    InvitationError,
    accept,
    invite,
    withdraw_invitation,
    working_invitation,
)
from corpus.models import Membership, Study
from corpus.pages.forms import InvitationForm, MemberForm
from corpus.pages.members import members_page


@require_POST
@never_cache
@study_view(owner=True)
def make_invitation(request: HttpRequest, study: Study) -> HttpResponse:
    """Make an invitation and show its link, this once."""
    form = InvitationForm(request.POST, prefix="invitation")
    if not form.is_valid():
        return members_page(request, study, MemberForm(), form)
    values = form.cleaned_data
    made, token = invite(
        study, values["role"], values["note"], values["days"], cast(User, request.user)
    )
    context = {
        "study": study,
        "heading": "Invitation link",
        "tab": "study-members",
        "invitation": made,
        "role": Membership.Role(made.role).name.lower(),
        "address": request.build_absolute_uri(reverse("invitation", args=[token])),
    }
    return render(request, "corpus/invitation_link.html", context)


@require_POST
@study_view(owner=True)
def revoke_invitation(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Take an invitation off the list; its link stops working."""
    if withdraw_invitation(study, pk, cast(User, request.user)):
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
    status = 400 if form is not None and form.errors else 200
    return render(request, "corpus/invitation.html", context, status=status)
