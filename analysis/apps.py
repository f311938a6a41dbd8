"""Agreement, correlation and the reports that show them."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Registers what this room adds to imports, exports and jobs."""

    name = "analysis"

    def ready(self) -> None:
        """Import the modules that register themselves."""
        from analysis import registration  # noqa: F401
