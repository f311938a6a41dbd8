"""Metric runs and their scores."""

from django.apps import AppConfig


class MetricsConfig(AppConfig):
    """Registers what this room adds to imports, exports and jobs."""

    name = "metrics"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        from metrics import registration  # noqa: F401
