"""Where the zips of publications lie."""

from pathlib import Path

from django.conf import settings

from analysis.models import Publication


def zip_path(publication: Publication) -> Path:
    """Return where the zip of a publication lies."""
    return Path(settings.MEDIA_ROOT) / "publications" / f"{publication.pk}.zip"


def remove_zip(publication: Publication) -> None:
    """Delete the zip of a publication."""
    zip_path(publication).unlink(missing_ok=True)
