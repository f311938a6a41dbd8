"""Record everything that reports and pages say, so that a change of structure can be checked.

Run it before and after a change and compare the folders::

    python -m scripts.record_outputs BEFORE
    python -m scripts.record_outputs AFTER
    diff -r BEFORE AFTER

Recorded are, for the demo study and the published studies (if their folder is here), under three
filters, each kind of report as JSON, its tables as CSV and LaTeX, its charts as Vega-Lite and its
page as HTML; the API schema; and the fields of every form that an administrator reaches by links.
What names the version of the code (signatures of reports, hashes of code) and what differs at each
visit (CSRF tokens) is left out. The studies are imported once into `--data` and used again.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlencode, urlsplit

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "demo" / "formality-demo"
STUDIES = Path(os.environ.get("TOUCHSTONE_STUDIES") or ROOT.parent / "shared" / "studies")
PATTERNS = {"mir2019": "{model}-{parameter}-{value}"}
FEW = {"resamples": ["100"]}
FILTERS: dict[str, dict[str, list[str]]] = {
    "plain": FEW,
    "z": FEW | {"scores": ["z"], "humans": ["in"], "resample": ["segments"]},
    "system": FEW
    | {
        "level": ["system"],
        "statistic": ["spearman"],
        "candidates": ["all"],
        "test": ["bootstrap"],
        "correction": ["benjamini-hochberg"],
        "goal": ["metrics"],
    },
}
VARYING = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*'), r"\1…"),
    (re.compile(r'("X-CSRFToken": ")[^"]*'), r"\1…"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<sha256>"),
    (re.compile(r"([?&;]v=)[0-9a-f]{12}"), r"\1…"),
    (re.compile(r"code [0-9a-f]{12}"), "code …"),
)


def main() -> None:
    """Record what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the recording goes")
    parser.add_argument("--data", type=Path, default=ROOT / "var" / "recorded")
    parser.add_argument("--kind", action="append", help="only these reports; may be repeated")
    parser.add_argument("--study", action="append", help="only these studies; may be repeated")
    asked = parser.parse_args()
    asked.data.mkdir(parents=True, exist_ok=True)
    os.environ |= {
        "TOUCHSTONE_DATA": str(asked.data),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DEBUG": "1",
    }
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    import django

    django.setup()
    studies = imported()
    client = signed_in()
    for slug in asked.study or studies:
        for name, query in FILTERS.items():
            record_reports(client, slug, query, asked.folder / slug / name, asked.kind)
    if not asked.kind:
        record_schema(asked.folder)
        write(asked.folder / "forms.txt", "".join(sorted(forms_of_pages(client))))


def imported() -> list[str]:
    """Import the studies that are not there yet; return their slugs."""
    from django.core.management import call_command

    from corpus.models import Study

    call_command("migrate", verbosity=0)
    published = sorted(path for path in STUDIES.glob("*") if path.is_dir())
    for folder in (DEMO, *published):
        if not Study.objects.filter(slug=folder.name).exists():
            pattern = PATTERNS.get(folder.name)
            options = {"system_pattern": pattern} if pattern else {}
            call_command("import_study", str(folder), accept=True, verbosity=0, **options)
    return [DEMO.name, *(folder.name for folder in published)]


def signed_in() -> Any:
    """Return a client of an administrator."""
    from django.contrib.auth.models import User
    from django.test import Client

    administrator = User.objects.filter(username="recorder").first()
    if administrator is None:
        administrator = User.objects.create_superuser("recorder", password=None)
    client = Client(SERVER_NAME="localhost")
    client.force_login(administrator)
    return client


def record_reports(
    client: Any, slug: str, query: dict[str, list[str]], folder: Path, only: list[str] | None
) -> None:
    """Record every kind of report of a study, as far as it answers a question."""
    from analysis.charts.theme import themed
    from analysis.figures import figures
    from analysis.filter.fields_of_kinds import restricted
    from analysis.filter.figure_choices import Choices
    from analysis.filter.question import Question, QuestionError
    from analysis.reports.catalogue import KINDS
    from analysis.reports.kind import opened
    from analysis.reports.service import report
    from analysis.tables.flat_table import csv_text
    from analysis.tables.latex import latex_table
    from analysis.tables.of_reports import flat_tables
    from corpus.models import Study

    study = Study.objects.get(slug=slug)
    for kind in only or KINDS:
        asked = restricted(kind, Question.parse(query))
        try:
            found = report(study, kind, asked)
        except QuestionError as error:
            write(folder / f"{kind}.refused.txt", f"{error}\n")
            continue
        write(folder / f"{kind}.json", json_text(without_versions(found)))
        for table in flat_tables(found):
            write(folder / kind / f"{table.name}.csv", csv_text(table))
            write(folder / kind / f"{table.name}.tex", latex_table(table))
        for name, make in figures(opened(found), Choices()).items():
            write(folder / kind / f"{name}.vl.json", json_text(themed(make().spec, "light")))
        page = client.get(f"/studies/{slug}/{kind}/", query_of(asked))
        write(folder / f"{kind}.html", page.content.decode())


def query_of(asked: Any) -> Any:
    """Return a question as a query string."""
    from django.http import QueryDict

    return QueryDict(urlencode(asked.to_query(), doseq=True))


def without_versions(found: dict[str, Any]) -> dict[str, Any]:
    """Return a report without what names the version of the code."""
    return {name: part for name, part in found.items() if name not in ("signature", "versions")}


def json_text(content: Any) -> str:
    """Return content as text that can be compared line by line."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, indent=1, default=str) + "\n"


def record_schema(folder: Path) -> None:
    """Record the schema of the API."""
    from django.core.management import call_command

    folder.mkdir(parents=True, exist_ok=True)
    call_command("spectacular", file=str(folder / "schema.yml"))


class _Forms(HTMLParser):
    """Collects the links of a page and the fields of its forms."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fields: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "form":
            self.fields.append(f"  form {given.get('method', 'get')} {given.get('action', '')}")
        elif tag in ("input", "select", "textarea", "button") and given.get("name"):
            kind = given.get("type", "")
            self.fields.append(f"    {tag} {kind} {given['name']}={given.get('value', '')}")
        elif tag == "option":
            self.fields.append(f"      option {given.get('value', '')}")


def forms_of_pages(client: Any) -> Iterator[str]:
    """Yield the fields of the forms of every page that links lead to, one address of each kind."""
    from django.urls import Resolver404, resolve

    waiting, seen = ["/"], set()
    while waiting:
        path = waiting.pop(0)
        try:
            route = resolve(path).route
        except Resolver404:
            continue
        if route in seen or "." in path.rsplit("/", 1)[-1] or "sign-out" in path:
            continue
        seen.add(route)
        page = client.get(path, follow=True)
        if not page.headers.get("Content-Type", "").startswith("text/html"):
            continue
        read = _Forms()
        read.feed(page.content.decode())
        yield f"{route} {page.status_code}\n" + "".join(
            f"{without_varying(line)}\n" for line in read.fields
        )
        links = (urldefrag(link)[0] for link in read.links)
        waiting += [urlsplit(link).path for link in links if link.startswith("/")]


def without_varying(text: str) -> str:
    """Return text without what differs at each visit or with the version of the code."""
    for pattern, kept in VARYING:
        text = pattern.sub(kept, text)
    return re.sub(r"(csrfmiddlewaretoken=)\S+", r"\1…", text)


def write(path: Path, text: str) -> None:
    """Write a file of the recording."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(without_varying(text), encoding="utf-8")
    sys.stderr.write(f"{path}\n")


if __name__ == "__main__":
    main()
