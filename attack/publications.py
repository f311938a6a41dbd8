"""D3: what visitors reach of publications, and what an owner's words do in their documents."""

import io
import json
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import yaml

from attack.browser import Browser
from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT
from attack.people import manage
from attack.site import Site, running_site

TEXT, RATER = "SENTINEL-OF-A-TEXT", "SENTINEL-OF-A-RATER"
QUOTE = '"'
INJECTION = 'A"\n---\nlicense: stolen\n```{{x}} | `y` <script>attacked()</script> ${z} \\'
MADE = """
from attack.publications import make
make("{folder}")
"""


def make(folder: str) -> None:
    """Publish a study of sentinels three times and print the three addresses, one of them none."""
    from django.contrib.auth.models import User

    from analysis.filter.question import Question
    from analysis.frozen.service import freeze
    from analysis.models import Publication
    from analysis.publishing.public_page import AddressForm, change_page
    from corpus.models import Study
    from tests.fixtures.publications import DETAILS, declare_details, published
    from tests.fixtures.study_files import import_path, write_files

    root = User.objects.filter(is_superuser=True).first() or User.objects.create_superuser("root")
    place = Path(folder)
    assert import_path(write_files(place / "files", tables()), slug="told").state == "done"
    study = Study.objects.get(slug="told")
    words = dict.fromkeys(("uses", "citation", "text_source", "consent"), INJECTION)
    authors = [{"name": f"{INJECTION}, Ada", "affiliation": INJECTION}]
    declare_details(study, **words, authors=authors, keywords=[INJECTION, *DETAILS["keywords"]])
    Study.objects.filter(pk=study.pk).update(title=INJECTION)
    study.refresh_from_db()
    for kind in ("correlation", "agreement", "metric-means"):
        freeze(study, kind, Question(aspect="content", resamples=100), root, INJECTION)
    for number in range(3):
        accept = ["small-groups", "reports", "possible-personal-data", "consent"]
        published(study, place / str(number), accept=accept)
    shown = {"address": "", "with_texts": "", "may_be_indexed": ""}
    of_pages: tuple[dict[str, str], ...] = ({}, {"with_texts": "on"})
    for made, more in zip(Publication.objects.order_by("pk"), of_pages, strict=False):
        form = AddressForm(shown | more, publication=made)
        assert form.is_valid()
        change_page(made, form, root)
    found = Publication.objects.order_by("pk").values_list("address", "pk", "sha256")
    print(json.dumps([list(each) for each in found]))


def tables() -> dict[str, Any]:
    """Return a study whose every text and every rater is a sentinel."""
    keys = [(n, system) for n in range(6) for system in ("a", "b", "c")]
    return {
        "segments.csv": [
            ["segment", "source", "reference_1", "author"],
            *([f"s{n}", f"{TEXT} {n}", f"{TEXT} {n}", f"{TEXT} {n}"] for n in range(6)),
        ],
        "outputs.csv": [
            ["segment", "system", "output"],
            *([f"s{n}", system, f"{TEXT} {system} {n}"] for n, system in keys),
        ],
        "ratings.csv": [
            ["segment", "system", "rater", "aspect", "score", "comment"],
            *([f"s{n}", system, f"{RATER} {r}", "content", 1 + (n * r + len(system)) % 5, TEXT]
              for n, system in keys for r in range(1, 4)),
        ],
        "metric_scores.csv": [
            ["segment", "system", "metric", "score"],
            *([f"s{n}", system, "bleu", n + len(system) / 7] for n, system in keys),
        ],
        "study.json": {"title": "Told", "scales": {"content": [1, 5]}},
    }  # fmt: skip


def replay() -> Iterator[Line]:
    """Ask as a visitor for the pages, every file, and addresses that nobody was given."""
    with running_site() as site:
        made = manage(site, MADE.format(folder=site.folder / "told")).splitlines()[-1]
        closed, _, hidden = json.loads(made)
        visitor = Browser(site.port)
        yield _without_texts(visitor, closed[0])
        yield _unguessed(visitor, hidden)
        yield _documents(site)


def _without_texts(visitor: Browser, address: str) -> Line:
    status, page = visitor.ask("GET", f"/published/{address}/")
    names = sorted({part.partition(QUOTE)[0] for part in page.split("/files/")[1:]})
    shown = page.count(TEXT) + page.count(RATER)
    for name in names:
        shown += sentinels(_fetched(visitor, f"/published/{address}/files/{name}"))
    refused = [
        visitor.ask("GET", f"/published/{address}/{rest}")[0]
        for rest in ("zip/", "files/data/outputs.parquet", "files/data/segments.parquet",
                     "files/..%2f..%2fsecret_key", "files//etc/passwd", "files/%00")
    ]  # fmt: skip
    figure = f"{status}, {len(names)} files, {shown} texts or raters; others {set(refused)}"
    held = status == 200 and len(names) > 5 and not shown and set(refused) == {404}
    return Line("D3", "the page of a publication without texts", figure, held)


def _fetched(visitor: Browser, path: str) -> bytes:
    address = f"http://127.0.0.1:{visitor.port}{path}"
    with urllib.request.urlopen(address, timeout=SECONDS_TO_WAIT) as reply:
        content: bytes = reply.read()
    return content


def _unguessed(visitor: Browser, hidden: list[Any]) -> Line:
    _, number, digest = hidden
    asked = [
        visitor.ask("GET", f"/published/{address}/{rest}")[0]
        for address in ("None", "null", str(number), digest, "-", "%00", "told")
        for rest in ("", "zip/", "files/README.md")
    ]
    return Line("D3", "a publication without a page", f"{set(asked)}", set(asked) == {404})


def _documents(site: Site) -> Line:
    """Read each document again by the program that will, and look for what was put into it."""
    folder = site.folder / "told" / "0" / "publication"
    card = (folder / "README.md").read_text()
    head = yaml.safe_load(card.split("\n---\n")[0].removeprefix("---\n"))
    citation = yaml.safe_load((folder / "CITATION.cff").read_text())
    broken = [head.get("license") != "cc-by-4.0", citation.get("license") != "CC-BY-4.0"]
    broken += [head["pretty_name"] != INJECTION, citation["title"] != INJECTION]
    for place in [*folder.rglob("*.json")]:
        broken.append(not isinstance(json.loads(place.read_text()), dict))
    figure = f"{len(broken)} looks at documents, {sum(broken)} changed by what was put in"
    return Line("D3", "words that end quotes, lines and blocks", figure, not any(broken))


def sentinels(content: bytes) -> int:
    """Count texts and names of raters in a file, inside archives and tables too."""
    found = sum(content.count(each.encode()) for each in (TEXT, RATER))
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found += sum(sentinels(archive.read(name)) for name in archive.namelist())
    if content.startswith(b"PAR1"):
        columns = pyarrow.parquet.read_table(io.BytesIO(content)).to_pydict()
        found += sentinels(json.dumps(columns, default=str).encode())
    return found
