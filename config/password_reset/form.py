"""Who gets a mail with a link to choose a new password."""

from typing import Any

from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlsafe_base64_encode

from config.mail.sending import send_later, site_address
from corpus.access_log import Action, log_access


class AskForm(PasswordResetForm):
    """The address of an account; what it answers and does looks the same for any address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail address"

    def save(self, *_: Any, request: HttpRequest | None = None, **__: Any) -> None:
        """Send a link to each account of the address that has a password, and log it."""
        people = list(self.get_users(self.cleaned_data["email"]))
        for person in people:
            name = urlsafe_base64_encode(str(person.pk).encode())
            token = default_token_generator.make_token(person)
            link = site_address(reverse("password-reset-choose", args=[name, token]))
            context = {"name": person.get_username(), "link": link}
            send_later("mail/reset.txt", "Choose a new password", person.email, context)
            log_access(Action.RESET_ASKED, person=person, request=request)
        if not people:
            log_access(Action.RESET_ASKED, "unknown address", request=request)
