"""R2, R3, R4: files that end the process which reads them, fill the disk, or take its memory."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from random import Random

from attack.finding import Line
from attack.harmful_files import aborting_parquet, parquet_of, repeated_text
from attack.patience import SECONDS_TO_WAIT
from attack.people import Person, Reply, signed_in
from attack.processes import MemoryWatch, processes
from attack.site import Site, running_site

IMPORT = "/studies/load/import/"
ROWS, CHARACTERS = 3_000_000, 100_000
MOST_GROWTH = 64
# What a process may take for reading, and beside it for programs and libraries.
MEMORY, PROGRAMS = 192, 350
SAID = re.compile("Nothing was imported. | Refused.*")
JOB = "SELECT state, attempts, error FROM corpus_job ORDER BY id DESC LIMIT 1"


def replay() -> Iterator[Line]:
    """Upload each on the import page, and start the import."""
    with running_site(IMPORT_MEMORY_MB=str(MEMORY)) as site:
        ada = signed_in(site, "ada", "owner")
        yield _aborting(site, ada)
        before = megabytes(site)
        content = repeated_text(ROWS, CHARACTERS)
        said = imported(site, ada, content)
        growth = megabytes(site) - before
        what = f"{ROWS:,} rows of one text of {CHARACTERS:,} characters in {len(content):,} bytes"
        figure = f"{said}; the data folder grew by {growth} MiB"
        yield Line("R3", what, figure, refused(said) and growth < MOST_GROWTH)
        for what, content in (
            ("4 cells of 60 MB", huge_cells()),
            ("lists of 20,000 texts in 300 rows", long_lists()),
        ):
            with MemoryWatch(site) as watch:
                said = imported(site, ada, content)
            figure = f"{said}; at most {watch.most} MiB in one process"
            held = refused(said) and watch.most < MEMORY + PROGRAMS
            yield Line("R4", what, figure, held)


def _aborting(site: Site, ada: Person) -> Line:
    before = processes(site)
    page = ada.upload(IMPORT, "metric_scores.parquet", aborting_parquet())
    started = start(ada, page)
    answers = (page.status, ada.get(page.address).status, started.status, ada.get("/").status)
    ended = len(before - processes(site))
    told = "cannot be read" in page.text and "cannot be read" in started.text
    figure = f"upload, mapping page, start, front page: {answers}; {ended} processes ended"
    held = told and not ended and answers == (200, 200, 400, 200)
    return Line("R2", "a byte that ends the reader", figure, held)


def start(owner: Person, page: Reply) -> Reply:
    """Press the button of a mapping page that starts the import."""
    return owner.post(page.address, owner.form(page.address, "layout") | {"start": ["1"]})


def imported(site: Site, owner: Person, content: bytes) -> str:
    """Upload a Parquet file of segments and import it; return what page or job said of it."""
    page = owner.upload(IMPORT, "segments.parquet", content)
    if "cannot be read" in page.text:
        return "refused by the page"
    if start(owner, page).status != 200:
        return "refused by the page"
    end = time.monotonic() + SECONDS_TO_WAIT
    while time.monotonic() < end:
        with closing(sqlite3.connect(site.folder / "touchstone.sqlite3")) as database:
            state, attempts, error = database.execute(JOB).fetchone()
        if state in ("failed", "done"):
            return f"{state} after {attempts} attempt: {SAID.sub('', error)[:100]}"
        time.sleep(0.5)
    raise TimeoutError(f"the import had not ended after {SECONDS_TO_WAIT:.0f} s")


def refused(said: str) -> bool:
    """Say whether page or job refused a file by itself."""
    return said.startswith(("refused", "failed after 1 attempt"))


def megabytes(site: Site) -> int:
    """Return the size of all files of the site."""
    return sum(each.stat().st_size for each in site.folder.rglob("*") if each.is_file()) >> 20


def huge_cells() -> bytes:
    """Texts of 60 MB that repeat no sooner than a packer would notice."""
    texts = [Random(seed).randbytes(600_000).hex() * 50 for seed in range(4)]
    return parquet_of(
        {"segment": ["s1", "s2", "s3", "s4"], "source": texts},
        compression="zstd", use_dictionary=False,
    )  # fmt: skip


def long_lists() -> bytes:
    """Rows of which each has a list of 20,000 texts."""
    rows = range(300)
    references = [["x"] * 20_000 for _ in rows]
    keys = [f"s{number}" for number in rows]
    return parquet_of({"segment": keys, "source": keys, "reference": references})
