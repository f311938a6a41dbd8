"""How much each study takes: rows of the database, counted; their bytes, estimated; its files.

All rows of large tables are counted, so workers do this each hour, and pages show what was found.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Count, Model

from config.backup.making import this_engine
from corpus.imports.uploads import uploads_folder
from corpus.models import ImportDraft, Job, Study

ROOMS = {"corpus": "texts", "annotation": "ratings", "metrics": "scores", "analysis": "results"}
SAMPLE = 200
"""Rows of a table of SQLite by whose length the bytes of all are estimated."""
BYTES_AROUND_A_ROW = 24

Table = type[Model]


def measure_storage() -> dict[str, Any]:
    """Count and estimate.

    Returns
    -------
    dict
        Bytes of the database and of all files; and for each study (by number; "" for what belongs
        to none) its rows, bytes in the database by what they are for, and bytes of files by kind.
    """
    tables = {table: path for table in _tables() if (path := path_to_study(table))}
    counted = {table: _rows_by_study(table, path) for table, path in tables.items()}
    total = database_bytes()
    sizes = _table_bytes({table: sum(rows.values()) for table, rows in counted.items()})
    studies: dict[str, dict[str, Any]] = {
        str(pk): {"rows": 0, "database": {}, "files": {}}
        for pk in Study.objects.values_list("pk", flat=True)
    }
    for table, rows in counted.items():
        room, all_rows = ROOMS[table._meta.app_label], sum(rows.values())
        for study, number in rows.items():
            if (one := studies.get(str(study))) is not None:
                one["rows"] += number
                share = sizes[table] * number // all_rows
                one["database"][room] = one["database"].get(room, 0) + share
    for key, kind, size in _files():
        one = studies.setdefault(key, {"rows": 0, "database": {}, "files": {}})
        one["files"][kind] = one["files"].get(kind, 0) + size
    return {"database": total, "files": _size(Path(settings.MEDIA_ROOT)), "studies": studies}


def database_bytes() -> int:
    """Return the size of the whole database."""
    if connection.vendor == "sqlite":
        return int(this_engine().size())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def path_to_study(table: Table) -> str:
    """Return how a row names its study, such as `item__campaign__study`; empty if it has none.

    The shortest way over columns that are never empty; over others only where there is no such.
    """
    for may_be_empty in (False, True):
        paths: dict[Table, str] = {table: ""}
        waiting = [table]
        while waiting:
            here = waiting.pop(0)
            for field in here._meta.get_fields():
                other = field.related_model
                if not (field.many_to_one or field.one_to_one) or not field.concrete:
                    continue
                if not isinstance(other, type) or other in paths:
                    continue
                if getattr(field, "null", False) and not may_be_empty:
                    continue
                path = f"{paths[here]}__{field.name}".removeprefix("__")
                if other is Study:
                    return path
                paths[other] = path
                waiting.append(other)
    return ""


def _tables() -> Iterator[Table]:
    for room in ROOMS:
        yield from apps.get_app_config(room).get_models()


def _rows_by_study(table: Table, path: str) -> dict[int, int]:
    rows = table._base_manager.order_by().values_list(path).annotate(Count("pk"))
    return {study: number for study, number in rows if study is not None}


def _table_bytes(rows: dict[Table, int]) -> dict[Table, int]:
    """Return the bytes of each table with its indexes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            names = [table._meta.db_table for table in rows]
            cursor.execute(
                "SELECT relname, pg_total_relation_size(oid) FROM pg_class "
                "WHERE relname = ANY(%s) AND relnamespace = current_schema()::regnamespace",
                [names],
            )
            found = dict(cursor.fetchall())
        return {table: int(found.get(table._meta.db_table, 0)) for table in rows}
    # SQLite does not know: its bytes are shared by the number of rows and their sampled length.
    weights = {table: number * _length_of_a_row(table) for table, number in rows.items()}
    everything = sum(weights.values()) or 1
    total = database_bytes()
    return {table: int(total * weight / everything) for table, weight in weights.items()}


def _length_of_a_row(table: Table) -> float:
    quote = connection.ops.quote_name
    name, key = quote(table._meta.db_table), quote(str(table._meta.pk.column))
    columns = [quote(str(field.column)) for field in table._meta.concrete_fields]
    length = " + ".join(f"COALESCE(LENGTH(CAST({each} AS BLOB)), 0)" for each in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT AVG(long) FROM (SELECT {length} AS long FROM {name} "  # noqa: S608
            f"ORDER BY {key} DESC LIMIT {SAMPLE})"
        )
        found = cursor.fetchone()[0]
    return float(found or 0) + BYTES_AROUND_A_ROW


def _files() -> Iterator[tuple[str, str, int]]:
    """Yield study, kind and bytes of what lies in the folder of files."""
    root = Path(settings.MEDIA_ROOT)
    jobs = dict(Job.objects.filter(kind="export").values_list("pk", "study"))
    for path in (root / "exports").glob("*.zip"):
        yield _key(jobs.get(_number(path.stem) or 0)), "exports", _size(path)
    owners = _owners_of_uploads()
    for folder in uploads_folder().glob("*"):
        yield _key(owners.get(folder.name)), "uploads", _size(folder)
    publications = apps.get_model("analysis", "Publication")
    made = dict(publications._default_manager.values_list("pk", "study"))
    for path in (root / "publications").glob("*.zip"):
        yield _key(made.get(_number(path.stem) or 0)), "publications", _size(path)
    for name in ("columns", "embeddings"):
        for folder in (root / name).glob("*"):
            yield _key(_number(folder.name)), "results", _size(folder)
    models = apps.get_model("metrics", "TrainedModel")._default_manager
    for study, place in models.values_list("study", "path"):
        if place:
            yield _key(study), "models", _size(root / place)


def _owners_of_uploads() -> dict[str, int]:
    owners = dict(ImportDraft.objects.values_list("upload", "study"))
    imports = Job.objects.filter(kind="import").values_list("study", "parameters")
    for study, parameters in imports:
        for part in Path(json.dumps(parameters.get("path", "")).strip('"')).parts:
            owners.setdefault(part, study)
    return owners


def _key(study: int | None) -> str:
    return "" if study is None else str(study)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _size(path: Path) -> int:
    """Return the bytes of a file or of all in a folder; what has just gone has none."""
    sizes: dict[str, int] = defaultdict(int)
    for each in (path, *path.rglob("*")):
        with suppress(OSError):
            sizes[str(each)] = each.stat().st_size if each.is_file() else 0
    return sum(sizes.values())
