"""A small study as files, importing it, and looking at what a database then holds."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

from django.apps import apps

from corpus.imports.options import ImportOptions
from corpus.imports.service import create_study, import_job, import_key
from corpus.jobs.foreground import run_in_foreground
from corpus.models import Job, Study

SEGMENTS = [
    [
        "segment_id",
        "source",
        "source_style",
        "target_style",
        "reference_1",
        "reference_2",
        "domain",
    ],
    ["s1", "gonna be late", "informal", "formal", "I will be late.", "I shall be late.", "mail"],
    ["s2", "dunno", "informal", "formal", "I do not know.", "", "chat"],
    ["s3", "I regret the delay.", "formal", "informal", "sorry i'm late", "", "mail"],
    ["s4", "Kindly respond.", "formal", "informal", "", "", "mail"],
]
OUTPUTS = [
    ["segment_id", "system", "output"],
    *([f"s{n}", system, f"{system} writes {n}"] for n in range(1, 5) for system in ("BART", "T5")),
]
RATINGS = [
    ["segment_id", "system", "rater", "aspect", "score"],
    *(
        [f"s{n}", system, rater, aspect, str(10 * n + len(rater + aspect + system))]
        for n in range(1, 5)
        for system in ("BART", "T5")
        for rater in ("r1", "r2")
        for aspect in ("content", "style")
    ),
]
SCORES = [
    ["segment_id", "system", "metric", "compared_to", "score"],
    *(
        [f"s{n}", system, metric, "reference", f"0.{n}{len(metric + system)}"]
        for n in range(1, 5)
        for system in ("BART", "T5")
        for metric in ("bleu", "wmd")
    ),
]
STUDY: dict[str, Any] = {
    "title": "A small study",
    "scales": {"content": [0, 100], "style": [0, 100]},
    "protocol": "direct_assessment",
    "systems": [
        {"system": "BART", "model": "bart", "human": False},
        {"system": "T5", "model": "t5"},
    ],
}
TABLES: dict[str, Any] = {
    "segments.csv": SEGMENTS,
    "outputs.csv": OUTPUTS,
    "ratings.csv": RATINGS,
    "metric_scores.csv": SCORES,
    "study.json": STUDY,
}


def text_of(content: Any) -> bytes:
    """Bytes of a file: rows as CSV, a dictionary as JSON, a text as UTF-8."""
    if isinstance(content, bytes):
        return content
    if isinstance(content, str):
        return content.encode()
    if isinstance(content, dict):
        return json.dumps(content).encode()
    buffer = io.StringIO()
    csv.writer(buffer).writerows(content)
    return buffer.getvalue().encode()


def write_files(folder: Path, files: dict[str, Any]) -> Path:
    """Write files into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text_of(content))
    return folder


def write_zip(path: Path, files: dict[str, Any]) -> Path:
    """Write files into a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, text_of(content))
    return path


def import_path(path: Path, slug: str = "small", **options: Any) -> Job:
    """Import as the command does; return the job as it ended."""
    study = Study.objects.filter(slug=slug).first() or create_study(slug, None)
    chosen = ImportOptions.from_dict(options)
    return run_in_foreground(
        "import", import_key(study), study=study, parameters=import_job(path, chosen)
    )


def places(job: Job) -> list[tuple[Any, ...]]:
    """File, line, character and column of each problem of a refused import."""
    return [
        (problem["file"], problem["line"], problem["position"], problem["column"])
        for problem in job.result["problems"]
    ]


STUDY_APPS = ("corpus", "annotation", "metrics", "analysis")
NOT_CONTENT = {"Job", "Study", "AuditEntry", "Membership"}


def row_counts() -> dict[str, int]:
    """Number of rows of every table that an import may write, staging included."""
    return {
        model.__name__: model._default_manager.count()
        for app in STUDY_APPS
        for model in apps.get_app_config(app).get_models()
        if model.__name__ not in NOT_CONTENT
    }


def stored_content(slug: str) -> dict[str, Any]:
    """Everything a study holds, by its bundle's members; study.json without the slug."""
    from corpus.exports.bundle import write_bundle

    buffer = Path(settings_folder()) / f"{slug}-{Job.objects.count()}.zip"
    write_bundle(Study.objects.get(slug=slug), buffer)
    with zipfile.ZipFile(buffer) as archive:
        content: dict[str, Any] = {name: archive.read(name) for name in archive.namelist()}
    buffer.unlink()
    described = json.loads(content.pop("study.json"))
    content.pop("manifest.json")
    return content | {"study.json": {k: v for k, v in described.items() if k != "slug"}}


def settings_folder() -> Path:
    """A folder of this run alone."""
    from django.conf import settings

    return Path(settings.MEDIA_ROOT)
