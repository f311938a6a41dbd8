"""The key that signs sessions and links: given, or made at the first start."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

FEWEST_CHARACTERS = 32
FEWEST_DIFFERENT = 10
MARK_OF_EXAMPLES = "django-insecure-"


def secret_key(folder: Path, *, may_be_weak: bool) -> str:
    """Take SECRET_KEY, or make a key and keep it in a folder.

    Raises
    ------
    ImproperlyConfigured
        If the key could be guessed and may not be.
    """
    path = folder / "secret_key"
    given = os.environ.get("SECRET_KEY")
    key = given or _kept_key(path)
    if not may_be_weak and _is_weak(key):
        raise ImproperlyConfigured(
            f"{'SECRET_KEY' if given else path} can be guessed, and whoever guesses it signs in as "
            f"anybody. It needs {FEWEST_CHARACTERS} characters, {FEWEST_DIFFERENT} of them "
            "different, and must be no example. Leave SECRET_KEY out and remove the file, and a "
            "key is made; or take what this prints: "
            "python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"
        )
    return key


def _kept_key(path: Path) -> str:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    key = secrets.token_urlsafe(50)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(key)
    return key


def _is_weak(key: str) -> bool:
    return (
        len(key) < FEWEST_CHARACTERS
        or len(set(key)) < FEWEST_DIFFERENT
        or key.startswith(MARK_OF_EXAMPLES)
    )
