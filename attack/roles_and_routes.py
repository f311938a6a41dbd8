"""H2: every address, asked by every role with every method, with what a private study holds."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from attack.browser import Browser
from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT
from attack.people import manage
from attack.site import Site, running_site

MADE = """
from attack.private_study import make
make("{folder}")
"""
WRITING = ("POST", "PUT", "DELETE")
OUTSIDE = ("nobody", "annotator", "stranger")
# What anybody's reading writes: sessions, limits, what takes long and is computed once, and the
# log of who signed in, failed to, or downloaded. Workers sign that they are alive all the while.
OF_READING = (
    *("django_session", "site_session", "corpus_ratelimit", "sqlite_sequence"),
    *("corpus_job", "analysis_result", "analysis_collectionresult", "metrics_wordattributions"),
    *("corpus_accessentry", "corpus_worker"),
)
DONE = "SELECT COUNT(*) FROM corpus_job WHERE state IN ('queued', 'running')"


def replay() -> Iterator[Line]:
    """Ask for everything; owners and administrators, who may write, only read."""
    with running_site() as site:
        made = json.loads(manage(site, MADE.format(folder=site.folder / "small")).splitlines()[-1])
        browsers = {
            role: Browser(site.port, {"sessionid": key}) for role, key in made["sessions"].items()
        } | {"nobody": Browser(site.port), "annotator": Browser(site.port)}
        browsers["annotator"].ask("GET", f"/join/{site.raters[0][1]}/")
        _jobs_done(site)
        for role in (*OUTSIDE, "researcher", "owner", "administrator"):
            browsers[role].ask("GET", "/privacy/")
            browsers[role].cookies.setdefault("csrftoken", 32 * "x")
            methods = ["GET", "HEAD", *([] if role in ("owner", "administrator") else WRITING)]
            yield _line(site, browsers[role], role, made, methods)


def _line(
    site: Site, browser: Browser, role: str, made: dict[str, Any], methods: list[str]
) -> Line:
    before, asked, shown, session = _rows(site), 0, 0, dict(browser.cookies)
    failed, leaks = [], []
    for path, of_a_study in made["addresses"]:
        for method in methods:
            browser.cookies = dict(session)
            status, text = browser.ask(method, path, X_CSRFToken=session["csrftoken"])
            asked += 1
            if status >= 500:
                failed.append(f"{method} {path}")
            told = made["secret"] in text + str(browser.answered)
            shown += told
            if role not in OUTSIDE:
                continue
            to_sign_in = browser.answered.get("Location", "").startswith("/sign-in/")
            if role == "stranger" and "/studies/small/" in path:
                absent = path.replace("/studies/small/", "/studies/absent/")
                told |= browser.ask(method, absent, X_CSRFToken=session["csrftoken"])[0] != status
                asked += 1
            elif of_a_study:
                told |= status not in (401, 403, 404, 405) and not to_sign_in
            if told:
                leaks.append(f"{method} {path} {status}")
    written = _rows(site) ^ before if "POST" in methods else set()
    figure = (
        f"{asked} requests, {shown} show the study, {len(leaks)} leaks, {len(failed)} errors 500, "
        f"{len(written)} rows written {[*leaks, *failed][:3] or ''}"
    )
    tables = {row.split('"')[1] for row in written}
    what = f"{len(made['addresses'])} addresses × {len(methods)} methods, {role}"
    # Were it shown to nobody, not finding it elsewhere would say nothing.
    held = not (leaks or failed or written) and (role in OUTSIDE or shown > 20)
    return Line("H2", what, f"{figure}{tables or ''}".rstrip(), held)


def _rows(site: Site) -> set[str]:
    """Return the rows of all tables that nobody writes by reading."""
    with closing(sqlite3.connect(site.folder / "touchstone.sqlite3")) as database:
        lines = [line for line in database.iterdump() if line.startswith("INSERT INTO")]
    return {line for line in lines if not line.split('"')[1].startswith(OF_READING)}


def _jobs_done(site: Site) -> None:
    end = time.monotonic() + SECONDS_TO_WAIT
    while time.monotonic() < end:
        with closing(sqlite3.connect(site.folder / "touchstone.sqlite3")) as database:
            if not database.execute(DONE).fetchone()[0]:
                return
        time.sleep(0.3)
    raise TimeoutError(f"jobs had not ended after {SECONDS_TO_WAIT:.0f} s")
