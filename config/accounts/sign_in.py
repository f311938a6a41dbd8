"""The sign-in page, which waits for nothing that only other pages need."""

from typing import Any

from allauth.account.views import LoginView
from django.conf import settings
from django.http import HttpResponse


class SignIn(LoginView):
    """Asks for name and password, and leads to the other ways there are."""

    def get_form(self, form_class: Any = None) -> Any:
        """Return the form, ready to type in, without placeholders that repeat the labels."""
        form = super().get_form(form_class)
        for field in form.fields.values():
            field.widget.attrs.pop("placeholder", None)
        form.fields["login"].widget.attrs["autofocus"] = True
        return form

    def form_invalid(self, form: Any) -> HttpResponse:
        """Say what is wrong."""
        answer: HttpResponse = super().form_invalid(form)
        if form.has_error("__all__", "too_many_login_attempts"):
            answer.status_code = 429
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the page shows."""
        ways = {
            "provider": settings.OPEN_ID_PROVIDER,
            "by_password": settings.PASSWORD_SIGN_IN,
            "resets": settings.MAIL,
            "next": self.get_next_url() or "",
        }
        return {**super().get_context_data(**kwargs), **ways}
