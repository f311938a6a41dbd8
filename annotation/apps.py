"""Human judgements, wherever they came from."""

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """Registers what this room adds to imports, exports and jobs."""

    name = "annotation"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        from annotation import registration  # noqa: F401
