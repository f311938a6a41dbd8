"""H6: a large import while people rate, on SQLite, where one writes at a time."""

import csv
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from attack.finding import Line
from attack.patience import in_time
from attack.site import running_site
from benchmarks.rating_load import ROOT, environment, measure, quantile

RATERS, SECONDS, SEGMENTS, SYSTEMS, ASPECTS = 6, 25, 2000, 4, 3
LONGEST = 20_000  # Milliseconds; more would end a request.


def replay() -> Iterator[Line]:
    """Rate alone, then beside the import; each of its ratings is there afterwards."""
    with running_site(RATERS, 5000) as site:
        alone = measure(site.port, site.raters, 5, drafts=False)
        folder = _study(site.folder / "large")
        command = [sys.executable, "manage.py", "import_study", str(folder)]
        with subprocess.Popen(
            command, cwd=ROOT, env=environment(site.folder), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as importing:  # fmt: skip
            said: list[str] = []
            reading = threading.Thread(target=lambda: said.append(importing.communicate()[0]))
            reading.start()
            beside = measure(site.port, site.raters, SECONDS, drafts=False)
            reading.join()
        times = [1000 * each for client in beside for each in client.submits]
        errors = [error for client in beside for error in client.errors]
        before, after = (
            quantile([each for client in clients for each in client.submits], 0.95)
            for clients in (alone, beside)
        )
        rows = SEGMENTS * SYSTEMS * ASPECTS
        stored = f"ratings: {rows} added" in said[0]
        figure = (
            f"{len(times)} submissions, {len(errors)} errors, p95 {before:.0f} → {after:.0f} ms, "
            f"worst {max(times):.0f} ms; the import ended with {importing.returncode}"
        )
        held = bool(times) and not errors and stored
        what = f"an import of {rows:,} ratings beside {RATERS} raters"
        yield Line("H6", what, figure, held, in_time(max(times), LONGEST, before))


def _study(folder: Path) -> Path:
    """Write a study of many ratings."""
    folder.mkdir()
    systems = [f"m{number}" for number in range(SYSTEMS)]
    segments = [f"s{number}" for number in range(SEGMENTS)]
    tables: dict[str, list[tuple[object, ...]]] = {
        "segments": [("segment_id", "source"), *((each, f"text of {each}") for each in segments)],
        "outputs": [
            ("segment_id", "system_id", "output"),
            *((each, system, f"{system} of {each}") for each in segments for system in systems),
        ],
        "ratings": [
            ("segment_id", "system_id", "annotator_id", "aspect", "value"),
            *((each, system, "ann", aspect, 50) for each in segments for system in systems
              for aspect in ("style", "content", "fluency")),
        ],
    }  # fmt: skip
    for name, rows in tables.items():
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    return folder
