"""R14: files and requests that are broken in odd ways, and whether the answers are words."""

import io
import json
import re
import zipfile
from collections.abc import Iterator

from attack.finding import Line
from attack.hostile_files import IMPORT, start
from attack.people import Reply, manage, signed_in
from attack.site import Site, running_site
from benchmarks.rating_load import ROOT

EMPTY = """
from django.contrib.auth.models import User
from analysis.reports.catalogue import KINDS
from corpus.imports.service import create_study
create_study("empty", User.objects.get(username="ada"))
print(*KINDS)
"""
JOBS = """
from corpus.jobs.worker import run_next
from corpus.models import Job
while run_next():
    pass
print(*[f"{job.error} {job.result}" for job in Job.objects.all()])
"""
RAW = re.compile(r"\w+Error\b|Traceback|\[Errno")


def replay() -> Iterator[Line]:
    """Send each, and search all that was answered for what only programmers understand."""
    with running_site() as site:
        ada = signed_in(site, "ada", "owner")
        kinds = manage(site, EMPTY).split()
        text = "segment,source\ns1,hello\n".encode("utf-16-le")
        for encoding in ("utf-16", "utf-32"):
            page = ada.upload(IMPORT, "segments.csv", text, encoding=encoding)
            yield _line(site, f"{encoding} without mark", [page, start(ada, page)])
        page = ada.upload(IMPORT, "study.zip", endless_member())
        yield _line(site, "a member of 5,000 characters", [page, start(ada, page)])
        replies = [ada.send("/api/v1/studies/", b"[" * 200_000, "application/json")]
        yield _line(site, "200,000 brackets as JSON", replies)
        replies = [ada.get(f"/api/v1/studies/empty/reports/{kind}/") for kind in kinds]
        yield _line(site, f"{len(kinds)} reports of an empty study", replies)
        said = manage(site, JOBS)
        found = raw(site, said)
        yield Line("R14", "the jobs that came of it", f"{found} raw errors or paths", not found)


def endless_member() -> bytes:
    """Return a bundle of which the manifest names a member of 5,000 characters."""
    manifest = {"format": "touchstone-study/1", "members": {"x" * 5000: {"sha256": "0"}}}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("segments.csv", "segment,source\ns1,hello\n")
    return out.getvalue()


def raw(site: Site, text: str) -> int:
    """Count names of exceptions and absolute paths of the server."""
    return len(RAW.findall(text)) + sum(text.count(str(path)) for path in (site.folder, ROOT))


def _line(site: Site, what: str, replies: list[Reply]) -> Line:
    statuses = sorted({reply.status for reply in replies})
    found = sum(raw(site, reply.text) for reply in replies)
    figure = f"{', '.join(map(str, statuses))}; {found} raw errors or paths"
    return Line("R14", what, figure, not found and max(statuses) < 500)
