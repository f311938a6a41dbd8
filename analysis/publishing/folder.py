"""Writing a publication: one folder with tables, documents, reports and sums, and its zip."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.datasheets.datasheet import datasheet, datasheet_form, datasheet_json, ethics_sheet
from analysis.models import FrozenReport
from analysis.publishing.card import card, how_to_verify
from analysis.publishing.checks import Check, confirmed, sentences
from analysis.publishing.content import SUMS, Content, DataFile, OtherFile
from analysis.publishing.gathering import content_of, rated_campaigns, sheets_of
from analysis.publishing.metadata import FILE as CRATE
from analysis.publishing.metadata import citation_file, croissant, ro_crate, zenodo
from analysis.publishing.options import Options
from analysis.publishing.reports import PublishedReport, published_report, report_file, zipped
from analysis.publishing.tables import path_of, pseudonyms_of, published_tables, write
from corpus.exports.bundle import EPOCH, study_json, table_query
from corpus.models import Study
from corpus.progress import ProgressCallback, unreported
from corpus.tables.register import handlers
from corpus.tabular.opening.bundles import FORMAT
from corpus.tabular.shaping.query_files import written

TITLES = {
    "study.json": ("What the study declares, and how its tables are read", "application/json"),
    "manifest.json": ("Tables with their columns, rows and sums", "application/json"),
    "README.md": ("The dataset card", "text/markdown"),
    "CITATION.cff": ("How to cite it", "application/yaml"),
    ".zenodo.json": ("Metadata for Zenodo", "application/json"),
    "croissant.json": ("Metadata in the Croissant format", "application/ld+json"),
    "VERIFY.md": ("How to verify it", "text/markdown"),
    "publication.json": ("What was checked, and with which options", "application/json"),
}


@dataclass(frozen=True)
class Written:
    """A publication that was written."""

    content: Content
    sums: dict[str, str]
    sha256: str
    reports: tuple[PublishedReport, ...]


def write_folder(
    study: Study,
    folder: Path,
    options: Options,
    reports: Sequence[FrozenReport],
    checks: Sequence[Check],
    report: ProgressCallback = unreported,
) -> Written:
    """Write a publication into an empty folder.

    The same study, options and frozen reports give the same bytes.

    Parameters
    ----------
    checks
        What was found; none that keeps it from being published.
    report
        Is called with the file being written.
    """
    names = pseudonyms_of(study, options.seed)
    data, queries = _tables(study, folder, options, report)
    published = []
    for frozen in reports:
        report(f"computing the report “{frozen.title}” again", 0, 0)
        published.append(published_report(frozen, names))
    for each in published:
        _put(folder, f"{each.stem}.zip", zipped(each))
    files = [report_file(each) for each in published]
    content = content_of(study, options, data, files, sentences(checks, options.accept))
    _sheets(study, folder, report)
    _put_json(folder, "publication.json", _record(content, options, checks, published))
    _put_json(folder, "study.json", study_json(study, _declared(study), written(queries)))
    _put_json(folder, "manifest.json", _manifest(study, folder, data))
    _documents(folder, content)
    sums = _write_sums(folder)
    return Written(content, sums, _sha256_of(folder / SUMS), tuple(published))


def _tables(
    study: Study, folder: Path, options: Options, report: ProgressCallback
) -> tuple[list[DataFile], list[tuple[str, str]]]:
    data, queries = [], []
    names = pseudonyms_of(study, options.seed)
    for each in published_tables(study, names, comments=options.comments):
        path = path_of(each.table)
        report(f"writing {path}", 0, 0)
        data.append(write(each.table, each.arrays, folder))
        queries.append(table_query(each.table, path))
    return data, queries


def _declared(study: Study) -> dict[str, Any]:
    declared: dict[str, Any] = {}
    for handler in handlers():
        declared |= handler.declare(study)
    return declared


def _manifest(study: Study, folder: Path, data: Sequence[DataFile]) -> dict[str, Any]:
    members: dict[str, Any] = {
        file.path: {
            "sha256": file.sha256,
            "rows": file.rows,
            "columns": [column.name for column in file.columns],
        }
        for file in data
    }
    members["study.json"] = {"sha256": _sha256_of(folder / "study.json")}
    return {"format": FORMAT, "study": study.slug, "members": members}


def _sheets(study: Study, folder: Path, report: ProgressCallback) -> None:
    sheets = sheets_of(study)
    for campaign in rated_campaigns(study):
        report(f"filling in the datasheet of {campaign.slug}", 0, 0)
        stem = sheets[campaign.pk]
        sheet = datasheet_json(campaign)
        _put(folder, f"{stem}.md", datasheet(campaign).encode())
        _put_json(folder, f"{stem}.json", sheet)
        _put_json(folder, f"{stem}.form.json", datasheet_form(sheet))
        _put(folder, f"{stem.replace('heds/', 'ethics/', 1)}.md", ethics_sheet(campaign).encode())
        if campaign.guidelines:
            stem = stem.replace("heds/", "guidelines/", 1)
            _put(folder, f"{stem}.md", campaign.guidelines.encode())


def _record(
    content: Content,
    options: Options,
    checks: Sequence[Check],
    published: Sequence[PublishedReport],
) -> dict[str, Any]:
    """Return how it was made, without the seed and without the places of what was found."""
    return {
        "study": content.slug,
        "date": content.date,
        "touchstone": content.version,
        "comments": options.comments,
        "smallest_group": options.smallest,
        "accepted": confirmed(checks, options.accept),
        "checks": [
            {"name": check.name, "title": check.title, "verdict": check.verdict} for check in checks
        ],
        "reports": [
            {
                "title": each.frozen.title,
                "file": f"{each.stem}.zip",
                "signature": each.report["signature"],
                "sha256": each.sha256,
                "frozen_sha256": each.frozen.sha256,
                "numbers_that_renaming_changed": each.changed,
            }
            for each in published
        ],
    }


def _documents(folder: Path, content: Content) -> None:
    """Write the documents, each naming the files that were written before it."""
    writers: tuple[tuple[str, Callable[[Content], str]], ...] = (
        ("VERIFY.md", how_to_verify),
        ("README.md", card),
        ("CITATION.cff", citation_file),
        (".zenodo.json", lambda content: _text(zenodo(content))),
        ("croissant.json", lambda content: _text(croissant(content))),
        (CRATE, lambda content: _text(ro_crate(content))),
    )
    for name, make in writers:
        _put(folder, name, make(replace(content, others=_others(folder, content))).encode())


def _others(folder: Path, content: Content) -> tuple[OtherFile, ...]:
    tables = {file.path for file in content.data}
    return tuple(
        OtherFile(name, *_titled(name), (folder / name).stat().st_size, _sha256_of(folder / name))
        for name in _files_below(folder)
        if name not in tables
    )


def _titled(name: str) -> tuple[str, str]:
    if name in TITLES:
        return TITLES[name]
    ending = name.rpartition(".")[2]
    media_type = {"md": "text/markdown", "json": "application/json", "zip": "application/zip"}
    title = {
        "heds": "Human-evaluation datasheet",
        "ethics": "Ethics sheet",
        "guidelines": "Guidelines that annotators read",
        "reports": "A frozen report with its inputs",
    }[name.partition("/")[0]]
    return title, media_type[ending]


def _text(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _put_json(folder: Path, name: str, content: Any) -> None:
    _put(folder, name, _text(content).encode())


def _put(folder: Path, name: str, content: bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _files_below(folder: Path) -> list[str]:
    """Return the paths of all files of a folder, by name."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _write_sums(folder: Path) -> dict[str, str]:
    """Write the sum of every file, as `sha256sum --check` reads them; return them."""
    sums = {name: _sha256_of(folder / name) for name in _files_below(folder) if name != SUMS}
    lines = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (folder / SUMS).write_text(lines, encoding="utf-8", newline="\n")
    return sums


def write_zip(folder: Path, path: Path, slug: str) -> None:
    """Write a folder as a zip whose bytes depend on its files alone; all lie below one name."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name in _files_below(folder):
            info = zipfile.ZipInfo(f"{slug}/{name}", EPOCH)
            # Parquet and zips are packed already.
            packed = name.endswith((".parquet", ".zip"))
            info.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as member:
                member.write((folder / name).read_bytes())
