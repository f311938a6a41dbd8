"""How sessions say that their person came from the provider."""

from typing import Any

from django.contrib.auth.backends import ModelBackend

PATH = "config.open_id.backend.ProviderBackend"


class ProviderBackend(ModelBackend):
    """Knows accounts by their number, and no passwords: sessions end with the setting."""

    def authenticate(self, *args: Any, **kwargs: Any) -> None:
        """Take no password."""
