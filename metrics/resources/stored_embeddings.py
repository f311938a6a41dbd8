"""Where sentence embeddings of a study's texts are stored."""

import shutil
from pathlib import Path

from django.conf import settings

from metrics.encoders.stored_vectors import StoredVectors


def stored_embeddings(study: int) -> StoredVectors:
    """Return the embeddings that were stored for a study, given by its primary key."""
    return StoredVectors(_folder(study))


def delete_embeddings(study: int) -> None:
    """Delete all of a study."""
    shutil.rmtree(_folder(study), ignore_errors=True)


def _folder(study: int) -> Path:
    return Path(settings.MEDIA_ROOT, "embeddings", str(study))
