"""Studies, texts and the jobs that move them."""

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """Registers what this room adds to imports, exports and jobs."""

    name = "corpus"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        from corpus import registration  # noqa: F401
        from corpus.pages import later_views  # noqa: F401  (numbers in addresses)
