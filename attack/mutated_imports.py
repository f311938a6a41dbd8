"""Files of a small study with some bytes changed, imported one after the other for a time.

`ATTACK_SECONDS` says for how long (60), `ATTACK_SEED` which changes are made (1). The process that
reads the files has less memory and time than by default, and so has the one that imports; what the
readers took is counted from outside. Each format of tables, packed and not, each named format and
files aligned by lines take turns.
"""

import csv
import gzip
import io
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from attack.finding import Line
from attack.harmful_files import KINDS, written
from benchmarks.rating_load import ROOT, environment

SECONDS = float(os.environ.get("ATTACK_SECONDS", "60"))
SEED = int(os.environ.get("ATTACK_SEED", "1"))
MOST_SECONDS = 30
PATIENCE = 4
"""Times as long may an import take that was too slow, when it is tried again."""
READER_MEMORY, READER_SECONDS = 192, 15
"""Mebibytes that a reader may write to, and seconds of a processor that it may take."""
LIBRARIES = 350
"""Mebibytes of programs that are mapped, which the limit does not count."""
IMPORTER_MEMORY = 1 << 30
LINES = {"source.txt": b"a text\nanother\n", "A.txt": b"a word\na second\n"}
ARCHIVES = (".zip", ".tar", ".tgz")
FILES = [f"{kind}{packed}" for kind in KINDS for packed in ("", ".gz", *ARCHIVES)]
PIECES = [b"", b'"', b"\n", b"\r", b"\t", b"\0", b"\xff", b"\xef\xbb\xbf", b"{", b"[" * 100, b"NaN"]
PIECES += [b"<", b"</row>", b"&x;", b"<!ENTITY a 'b'>", b"# ", b"|", b"  ", b'": [']
PIECES += [b"\\ud800", b"1e999", b"\xd8\x00", b"9" * 5000, b"x" * 100_000]
RAW = re.compile(r"\w+Error\b|Traceback|\[Errno")

Changed = tuple[dict[str, bytes], dict[str, Any]]
"""Files of an import by name, and the mappings by which they are imported."""


class Hang(BaseException):
    """An import took too long."""


def replay() -> Iterator[Line]:
    """Import in a process of its own, with a database of its own."""
    with tempfile.TemporaryDirectory(prefix="touchstone-attack-") as folder:
        env = environment(Path(folder)) | {"PYTHONPATH": str(ROOT)}
        env |= {"IMPORT_MEMORY_MB": str(READER_MEMORY), "IMPORT_SECONDS": str(READER_SECONDS)}
        for command in (["manage.py", "migrate", "-v0"], ["-m", "attack.mutated_imports", folder]):
            ran = subprocess.run(
                [sys.executable, *command],
                cwd=ROOT, env=env, check=False, stdout=subprocess.PIPE, text=True,
                timeout=SECONDS + 300,
            )  # fmt: skip
        if ran.returncode:
            yield Line("fuzz", "mutated files", f"ended with status {ran.returncode}", False)
            return
        found = Counter(json.loads(ran.stdout.splitlines()[-1]))
    what = f"mutated files for {SECONDS:.0f} s, seed {SEED}"
    names = ("hangs", "half-written studies", "raw errors")
    figure = f"{found['cases']} cases of {found['shapes']} shapes, {found['refused']} refused"
    figure += "".join(f", {found[name]} {name}" for name in names)
    memory, seconds = found["reader's MiB"], found["reader's ms"] / 1000
    figure += f"; readers took at most {memory} MiB, and {seconds:.1f} s for an import"
    held = found["cases"] > 0 and not any(found[name] for name in names)
    # An import may need a second reader, after the first was ended.
    held &= 0 < memory < READER_MEMORY + LIBRARIES and 0 < seconds <= 2 * READER_SECONDS + 1
    yield Line("fuzz", what, figure, held)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return bytes of which some were changed, left out, doubled or put in."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(changed) + 1)
        end = min(len(changed), start + chance.choice([1, 1, 2, 8, 64]))
        changed[start:end] = chance.choice([
            chance.randbytes(end - start), b"", 2 * changed[start:end], chance.choice(PIECES),
        ])  # fmt: skip
    return bytes(
        changed[: chance.randrange(len(changed) + 1)] if chance.random() < 0.1 else changed
    )


def mutated_study(tables: dict[str, Any], kind: str, chance: random.Random) -> Changed:
    """Return the files of a study, one of which is changed, before or after it is packed."""
    archive = next((ending for ending in ARCHIVES if kind.endswith(ending)), "")
    plain = kind.removesuffix(archive)
    files = {}
    for name, (header, *rows) in tables.items():
        content = [dict(zip(header, row, strict=True)) for row in rows]
        data = written(f"x.{plain}", content)
        if plain in OTHERWISE and chance.random() < 0.5:
            data = chance.choice(OTHERWISE[plain])(content).encode()
        files[f"{name.removesuffix('csv')}{plain}"] = data
    packed = chance.random() < 0.5
    if plain == kind or not packed:
        name = chance.choice(list(files))
        if kind.endswith(".gz") and not packed:
            files[name] = gzip.compress(mutated(gzip.decompress(files[name]), chance))
        else:
            files[name] = mutated(files[name], chance)
    if plain == kind:
        return files, {}
    data = zipped(files) if archive == ".zip" else tarred(files, archive)
    return {f"study{archive}": mutated(data, chance) if packed else data}, {}


def tarred(files: dict[str, bytes], ending: str) -> bytes:
    """Return a tar archive of files, compressed if its ending says so."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz" if ending == ".tgz" else "w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


Rows = list[dict[str, Any]]


def in_a_list(rows: Rows) -> str:
    return json.dumps({"version": 1, "data": rows})


def side_by_side(rows: Rows) -> str:
    return json.dumps({name: [row.get(name) for row in rows] for name in rows[0]})


def twice_keyed(rows: Rows) -> str:
    return json.dumps({name: dict(enumerate(row[name] for row in rows)) for name in rows[0]})


def loose(rows: Rows) -> str:
    """Return a table with a comment, bars and rows that end before their last fields."""
    lines = ["|".join(map(str, line)).rstrip("|") for line in map(dict.values, rows)]
    return "\n".join(["# not a row", "|".join(rows[0]), *lines])


def nameless(rows: Rows) -> str:
    return "\n".join(" ".join(map(str, row.values())) for row in rows)


OTHERWISE = {
    "json": (in_a_list, side_by_side, twice_keyed),
    "csv": (loose, nameless),
    "tsv": (loose, nameless),
}


def mutated_recipe(recipes: dict[str, tuple[str, Any]], chance: random.Random) -> Changed:
    """Return a file that needs a mapping, changed, and the mapping that imports it."""
    name, (content, mappings) = chance.choice(list(recipes.items()))
    if name.endswith(".csv") and chance.random() < 0.5:
        kind = chance.choice(KINDS)
        rows = list(csv.DictReader(io.StringIO(content)))
        name = f"{name.removesuffix('csv')}{kind}"
        return {name: mutated(written(name, rows), chance)}, {name: mappings}
    return {name: mutated(content.encode(), chance)}, {name: mappings}


def mutated_files(files: dict[str, bytes], chance: random.Random) -> Changed:
    """Return files one of which is changed."""
    name = chance.choice(list(files))
    return files | {name: mutated(files[name], chance)}, {}


def zipped(files: dict[str, bytes]) -> bytes:
    """Return an archive of files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def every_shape(
    tables: dict[str, Any],
    recipes: dict[str, tuple[str, Any]],
    folders: dict[str, dict[str, bytes]],
) -> dict[str, Callable[[random.Random], Changed]]:
    """Return what makes the changed files of each shape, and the mapping that imports them."""
    return {
        **{kind: partial(mutated_study, tables, kind) for kind in FILES},
        **{name: partial(mutated_files, files) for name, files in folders.items()},
        "recipe": partial(mutated_recipe, recipes),
    }


def _imported(path: Path, slug: str, options: dict[str, Any]) -> Any:
    """Import once, and once more with more patience if it was slow: the machine may be busy."""
    from tests.fixtures.study_files import import_path

    for seconds in (MOST_SECONDS, PATIENCE * MOST_SECONDS):
        signal.alarm(seconds)
        try:
            return import_path(path, slug=f"{slug}-{seconds}", **options)
        except Hang:
            if seconds > MOST_SECONDS:
                raise
        finally:
            signal.alarm(0)
    raise AssertionError


def main(folder: Path) -> None:
    """Import until the time is over, and print what was counted."""
    import django

    django.setup()
    from tests.fixtures.documented_recipes import recipes
    from tests.fixtures.named_files import NAMED
    from tests.fixtures.study_files import TABLES, row_counts, text_of, write_files

    def hang(number: int, frame: FrameType | None) -> None:
        raise Hang

    signal.signal(signal.SIGALRM, hang)
    resource.setrlimit(resource.RLIMIT_DATA, (IMPORTER_MEMORY, IMPORTER_MEMORY))
    tables = {name: content for name, content in TABLES.items() if name != "study.json"}
    named = {
        name: {path: text_of(content) for path, content in files.items()}
        for name, files in NAMED.items()
    }
    shapes = every_shape(tables, recipes(), {"lines": LINES, **named})
    chance, found = random.Random(SEED), Counter[str]()
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        shape = list(shapes)[found["cases"] % len(shapes)]
        files, mappings = shapes[shape](chance)
        case = found["cases"] = found["cases"] + 1
        found["shapes"] = min(case, len(shapes))
        path = write_files(folder / "cases" / str(case), files)
        (name, *more) = files
        path = path / name if name.startswith("study.") and not more else path
        options: dict[str, Any] = {"mappings": mappings}
        options |= {"encoding": "utf-16"} if chance.random() < 0.05 else {}
        before, used = row_counts(), resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            job = _imported(path, f"case-{case}", options)
        except Hang:
            found["hangs"] += 1
            continue
        except Exception as error:
            said, state = f"{type(error).__name__}: {error}", "failed"
        else:
            said, state = f"{job.error} {job.result}", job.state
        after, now = row_counts(), resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        found["reader's ms"] = max(found["reader's ms"], int(1000 * seconds))
        found["reader's MiB"] = now.ru_maxrss >> 10
        staged = any(count for table, count in after.items() if table.startswith("Staged"))
        found["refused"] += state == "failed"
        found["half-written studies"] += staged or (state == "failed" and after != before)
        if RAW.search(said) or "'unreadable'" in said:
            found["raw errors"] += 1
            print(case, list(files), said[:500], file=sys.stderr)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
