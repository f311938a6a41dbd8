"""A study that carries a secret in all it is named by, and the addresses it might be read at."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.urls import get_resolver

from corpus.models import Study
from tests.study_files import TABLES, import_path, write_files

SECRET = "SENTINEL-OF-THE-STUDY"
PUBLIC = {
    *("login", "sign-in-once", "api-root", "api-docs", "api-schema", "join", "join-by-code"),
    "privacy",
}
ANNOTATORS = re.compile("^rate")
STUDY = re.compile(r"<slug:slug>|^jobs/<|^exports/<|^api/v1/jobs/<")
SAMPLES = {
    "kind": "agreement",
    "name": "agreement",
    "file_format": "csv",
    "upload": "0" * 32,
    "campaign": "ratings",
    "token": "no-such-token",
}


def routes(resolver: Any = None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every named address of the site, as (name, pattern)."""
    for entry in (resolver or get_resolver()).url_patterns:
        pattern = prefix + str(entry.pattern)
        if hasattr(entry, "url_patterns"):
            if not pattern.startswith("admin/"):
                yield from routes(entry, pattern)
        elif entry.name:
            yield entry.name, pattern


def secret_study(folder: Path) -> Study:
    """Import a study whose texts, names and keys all carry the secret."""

    def secretly(cell: Any) -> Any:
        return re.sub(r"^s(\d)$", rf"s\1{SECRET}", cell) if isinstance(cell, str) else cell

    tables = {
        name: [[secretly(cell) for cell in row] for row in rows] if isinstance(rows, list) else rows
        for name, rows in TABLES.items()
    }
    assert import_path(write_files(folder, tables), slug="small").state == "done"
    study = Study.objects.get(slug="small")
    study.title = SECRET
    study.save()
    return study
