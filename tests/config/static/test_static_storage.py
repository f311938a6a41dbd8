"""The static files can be collected under hashed names, as deployment does."""

from pathlib import Path

from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from tests.fixtures.machine import ROOT


def test_every_static_file_gets_a_hashed_name_without_a_missing_reference(
    tmp_path: Path, settings: object
) -> None:
    settings.DEBUG = False
    source = FileSystemStorage(ROOT / "static")
    storage = CompressedManifestStaticFilesStorage(location=tmp_path, base_url="/static/")
    names = [
        str(path.relative_to(ROOT / "static"))
        for path in (ROOT / "static").rglob("*")
        if path.is_file()
    ]
    for name in names:
        with source.open(name) as file:
            storage.save(name, file)
    outcomes = list(storage.post_process({name: (source, name) for name in names}))
    failed = [(name, outcome) for name, _, outcome in outcomes if isinstance(outcome, Exception)]
    assert failed == []
    assert storage.url("vendor/vega-embed.min.js") != "/static/vendor/vega-embed.min.js"
