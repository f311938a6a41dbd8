"""R18: what stays of reports opened after each rating, of exports, uploads and killed writers."""

import json
from collections.abc import Iterator

from attack.finding import Line
from attack.people import manage, signed_in
from attack.site import running_site
from benchmarks.rating_load import Client

RATINGS = 20
STORED = """
import json
from analysis.models import Result
print(json.dumps([len(json.dumps(each.content)) for each in Result.objects.all()]))
"""
EXPORT = """
from corpus.exports.service import ask_for_export
from corpus.jobs.worker import run_next
from corpus.models import Study
ask_for_export(Study.objects.get(), None)
print(run_next().pk)
"""
IN_A_YEAR = """
import datetime as dt
from corpus.pruning import prune
prune(dt.datetime.now(dt.UTC) + dt.timedelta(days=366))
"""


def replay() -> Iterator[Line]:
    """Open a report after each rating, export, leave things behind; then let a year pass."""
    with running_site() as site:
        ada = signed_in(site, "ada", "owner")
        public_id, token = site.raters[0]
        rater = Client(site.port, public_id, token, drafts=False)
        form = rater.enter()
        for _ in range(RATINGS):
            form = rater.submit(form)
            ada.get("/studies/load/raters/")
        sizes = json.loads(manage(site, STORED))
        figure = f"{len(sizes)} results, {sum(sizes) / 1024:.0f} KiB after {RATINGS} ratings"
        yield Line("R18", "a report opened after each rating", figure, 0 < len(sizes) <= 3)
        files = site.folder / "files"
        job = manage(site, EXPORT)
        before = (files / "exports" / f"{job}.zip").exists()
        (files / "exports" / "9.zip.part").write_bytes(b"half")
        ada.upload("/studies/load/import/", "outputs.csv", b"segment,system,output\n")
        uploads = len(list(files.glob("uploads/*")))
        manage(site, IN_A_YEAR)
        left = [str(each.relative_to(files)) for each in files.glob("[eu]*s/*")]
        figure = f"a zip, an unfinished one and {uploads} upload; a year later {left}"
        yield Line("R18", "exports and uploads", figure, before and uploads == 1 and not left)
        words = "Export again" in ada.get(f"/jobs/{job}/").text
        results = json.loads(manage(site, STORED))
        figure = f"results left: {len(results)}; its page offers to export again: {words}"
        yield Line("R18", "a year later", figure, words and not results)
