"""Pages on which somebody who forgot a password gets another: Django's, where mail is set."""

import math
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import (
    PasswordResetConfirmView,
    PasswordResetDoneView,
    PasswordResetView,
)
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse_lazy

from config.models import Session
from config.password_reset.form import AskForm
from config.sessions import stored_key
from config.sign_in_limits import ask_for_mail
from corpus.access_log import Action, log_access
from corpus.limits import in_words


class WhereMailIsSet:
    """Without mail, or passwords, there are no such pages."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer.

        Raises
        ------
        Http404
            If no mail can be sent, or nobody signs in with a password.
        """
        if not settings.MAIL or not settings.PASSWORD_SIGN_IN:
            raise Http404("no password is reset by mail on this site")
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        return answer


class AskView(WhereMailIsSet, PasswordResetView):
    """Asks for an address, and says the same whether or not anybody has it."""

    form_class = AskForm
    template_name = "registration/reset_ask.html"
    success_url = reverse_lazy("password-reset-sent")

    def form_valid(self, form: Any) -> HttpResponse:
        """Send the mail, unless too many were asked for."""
        wait = ask_for_mail(self.request, form.cleaned_data["email"])
        if not wait:
            return super().form_valid(form)
        form.add_error(None, f"Too many mails were asked for. Try again in {in_words(wait)}.")
        answer = self.render_to_response(self.get_context_data(form=form), status=429)
        answer["Retry-After"] = str(math.ceil(wait))
        return answer


class SentView(WhereMailIsSet, PasswordResetDoneView):
    """Says what happens now."""

    template_name = "registration/reset_sent.html"


class ChooseView(WhereMailIsSet, PasswordResetConfirmView):
    """Takes the new password of who opened the mail."""

    template_name = "registration/reset_choose.html"
    success_url = reverse_lazy("login")

    def get_user(self, uidb64: str) -> User | None:
        """Return whose password it is, if they may sign in by one."""
        person = super().get_user(uidb64)
        return person if person and person.is_active and person.has_usable_password() else None

    def form_valid(self, form: Any) -> HttpResponse:
        """Save the password and end every session."""
        answer = super().form_valid(form)
        person = form.user
        # The session of this browser, if it is theirs, ends by the new hash of the password.
        here = stored_key(self.request.session.session_key)
        Session.objects.filter(user=person).exclude(session_key=here).delete()
        words = "password, by mail"
        log_access(Action.SIGN_IN_CHANGED, words, person=person, request=self.request)
        messages.success(self.request, "The password was saved. Sign in with it now.")
        return answer
