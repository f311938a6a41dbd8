"""Human judgements, wherever they came from."""

from django.apps import AppConfig
from django.utils import translation

from annotation.protocols.language import translate_by


class AnnotationConfig(AppConfig):
    """Registers what this room adds to imports, exports and jobs."""

    name = "annotation"

    def ready(self) -> None:
        """Import the modules that register themselves; say what translates."""
        from annotation import registration  # noqa: F401

        translate_by(translation)
