"""Files of which some bytes changed are imported or refused in words, and never by half.

`CHANGED_FILES` and `CHANGED_FILES_SEED` choose how many, and which. Each format of tables, packed
and not, each named format, files aligned by lines and files with queries take turns.
"""

import csv
import gzip
import io
import os
import random
import re
import signal
import tarfile
import zipfile
from itertools import cycle

import pytest

from tests.fixtures.documented_recipes import recipes
from tests.fixtures.harmful_files import KINDS, written
from tests.fixtures.named_files import NAMED
from tests.fixtures.study_files import TABLES, import_path, row_counts, text_of, write_files

CASES = int(os.environ.get("CHANGED_FILES", "200"))
SEED = int(os.environ.get("CHANGED_FILES_SEED", "1"))
MOST_SECONDS = 120
LINES = {"source.txt": b"a text\nanother\n", "A.txt": b"a word\na second\n"}
FOLDERS = {
    "lines": LINES,
    **{name: {path: text_of(NAMED[name][path]) for path in NAMED[name]} for name in NAMED},
}
ARCHIVES = (".zip", ".tar", ".tgz")
PIECES = [b"", b'"', b"\n", b"\r", b"\t", b"\0", b"\xff", b"\xef\xbb\xbf", b"{", b"[" * 100, b"NaN"]
PIECES += [b"<", b"</row>", b"&x;", b"<!ENTITY a 'b'>", b"# ", b"|", b"  ", b'": [']
PIECES += [b"\\ud800", b"1e999", b"\xd8\x00", b"9" * 5000, b"x" * 100_000]
RAW = re.compile(r"\w+Error\b|Traceback|\[Errno|'unreadable'")


def changed(data, chance):
    """Return bytes of which some were changed, left out, doubled or put in."""
    found = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(found) + 1)
        end = min(len(found), start + chance.choice([1, 1, 2, 8, 64]))
        found[start:end] = chance.choice(
            [chance.randbytes(end - start), b"", 2 * found[start:end], chance.choice(PIECES)]
        )
    return bytes(found[: chance.randrange(len(found) + 1)] if chance.random() < 0.1 else found)


def with_one_changed(files, chance):
    name = chance.choice(list(files))
    if name.endswith(".gz") and chance.random() < 0.5:
        return files | {name: gzip.compress(changed(gzip.decompress(files[name]), chance))}
    return files | {name: changed(files[name], chance)}


def tables(kind):
    """Return the tables of a small study as files of a format."""
    return {
        f"{name.removesuffix('csv')}{kind}": written(
            f"x.{kind}", [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
        )
        for name, rows in TABLES.items()
        if name != "study.json"
    }


def packed(files, ending):
    out = io.BytesIO()
    if ending == ".zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(fileobj=out, mode="w:gz" if ending == ".tgz" else "w") as archive:
            for name, content in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def changed_table(kind, ending, chance):
    """Change a table, before or after it is packed."""
    if ending not in ARCHIVES:
        return with_one_changed(tables(f"{kind}{ending}"), chance), ""
    files = tables(kind)
    if chance.random() < 0.5:
        return {f"study{ending}": changed(packed(files, ending), chance)}, ""
    return {f"study{ending}": packed(with_one_changed(files, chance), ending)}, ""


def changed_recipe(chance):
    """Change a file that needs queries; a table comes in any format."""
    name, (content, query) = chance.choice(list(recipes().items()))
    if not name.endswith(".csv") or chance.random() < 0.5:
        return {name: changed(content.encode(), chance)}, query
    other = f"{name.removesuffix('csv')}{chance.choice(KINDS)}"
    rows = list(csv.DictReader(io.StringIO(content)))
    return {other: changed(written(other, rows), chance)}, query.replace(f'"{name}"', f'"{other}"')


def cases(chance):
    """Yield changed files, and the queries by which they are imported, without end."""
    shapes = [(kind, ending) for kind in KINDS for ending in ("", ".gz", *ARCHIVES)]
    for shape in cycle([*shapes, *FOLDERS, "recipe"]):
        if shape == "recipe":
            yield changed_recipe(chance)
        elif isinstance(shape, tuple):
            yield changed_table(*shape, chance)
        else:
            yield with_one_changed(FOLDERS[shape], chance), ""


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.django_db
def test_changed_files_are_imported_whole_or_refused_in_words(tmp_path, settings):
    settings.IMPORT_MEMORY_MB, settings.IMPORT_SECONDS = 192, 15
    chance, refused = random.Random(SEED), 0
    for number, (files, query) in zip(range(CASES), cases(chance), strict=False):
        path = write_files(tmp_path / str(number), files)
        archive, *more = files
        path = path / archive if archive.startswith("study.") and not more else path
        options = {"encoding": "utf-16"} if chance.random() < 0.05 else {}
        before = row_counts()
        signal.alarm(MOST_SECONDS)  # Ends the run at a case that hangs.
        job = import_path(path, f"case-{number}", query=query, **options)
        signal.alarm(0)
        after = row_counts()
        assert not RAW.search(f"{job.error} {job.result}"), (number, files)
        assert not any(count for table, count in after.items() if table.startswith("Staged"))
        if job.state == "failed":
            refused += 1
            assert after == before, (number, files)
    assert refused > CASES / 2
