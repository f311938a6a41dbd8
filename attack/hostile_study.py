"""A study and campaigns every word of which is a script, made on the machine of the site."""

import csv
import itertools
import json
from pathlib import Path
from typing import Any

SCRIPTS = [
    "<script>attacked()</script>",
    "\"'><script>attacked()</script>",
    "<img src=x onerror=attacked()>",
    '"><svg onload=attacked()>',
    '" autofocus onfocus="attacked()" onpointerover="attacked()',
    "</title></textarea></script><script>attacked()</script>",
    "[here](javascript:attacked()) <javascript:attacked()>",
    "<a href=javascript:attacked()>here</a>",
    '<iframe srcdoc="<script>parent.attacked()</script>"></iframe>',
    "<details open ontoggle=attacked()><summary>here</summary></details>",
]
ALL = "\n\n".join(SCRIPTS)
SYSTEMS = SCRIPTS[:4]


def words(place: int) -> str:
    """Return a text that differs from place to place and is a script in each."""
    return f"{SCRIPTS[place % len(SCRIPTS)]} {place}"


def tables() -> dict[str, list[list[Any]]]:
    """Return the rows of the files of the study."""
    segments = [words(place) for place in range(len(SCRIPTS))]
    texts = list(itertools.product(segments, SYSTEMS))
    ways = itertools.cycle([[SCRIPTS[0], SCRIPTS[3]], [SCRIPTS[3], SCRIPTS[0]]])
    aspects, metrics, raters = SCRIPTS[2:6], SCRIPTS[:3], SCRIPTS[4:7]
    return {
        "segments.csv": [
            ["segment_id", "source", "source_style", "target_style", "reference_1", "domain"],
            *([key, words(n + 1), *next(ways), words(n + 2), words(n + 3)]
              for n, key in enumerate(segments)),
        ],
        "outputs.csv": [
            ["segment_id", "system", "output"],
            *([key, system, words(n)] for n, (key, system) in enumerate(texts)),
        ],
        "ratings.csv": [
            ["segment_id", "system", "rater", "aspect", "score", "comment"],
            *([key, system, rater, aspect, 1 + (n * len(aspect) + len(rater)) % 5, words(n)]
              for n, (key, system) in enumerate(texts) for rater in raters for aspect in aspects),
        ],
        "lexicon.csv": [
            ["word", "weight", "style", "lexicon"],
            *([f"{n}", 1 - 2 * (n % 2), SCRIPTS[3 * (n % 2)], SCRIPTS[2]] for n in range(10)),
        ],
        "metric_scores.csv": [
            ["segment_id", "system", "metric", "aspect", "compared_to", "score"],
            *([key, system, metric, aspects[0], metric, (n * len(metric)) % 7]
              for n, (key, system) in enumerate(texts) for metric in metrics),
        ],
    }  # fmt: skip


def write_files(folder: Path) -> None:
    """Write what is imported."""
    folder.mkdir()
    for name, rows in tables().items():
        with (folder / name).open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    about = {
        "title": SCRIPTS[1], "description": ALL, "language": "en",
        "systems": [{"system": system, "model": SCRIPTS[0], "group": ALL} for system in SYSTEMS],
    }  # fmt: skip
    (folder / "study.json").write_text(json.dumps(about))


def make(folder: str) -> None:
    """Import the study, rate, and print two lists of links with one into each protocol."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from annotation.launch.launching import launch
    from annotation.models import Campaign, Contact
    from annotation.people.invitations import new_links
    from annotation.protocols.catalogue import LIVE
    from corpus.models import Study
    from tests.fixtures.campaigns import send

    write_files(Path(folder))
    User.objects.filter(username="root").update(is_superuser=True, is_staff=True)
    call_command("import_study", folder, study="hostile", owner="root", verbosity=0)
    study = Study.objects.get(slug="hostile")
    links = []
    for protocol in LIVE:
        campaign = Campaign.objects.create(
            study=study, slug=protocol.replace("_", "-"), protocol=protocol, origin="live",
            state="draft", design="balanced_overlap", ratings_per_item=2, seed=1,
            selection={"mask": {"lexicon": SCRIPTS[2]}},
            title=SCRIPTS[1], guidelines=ALL, consent=ALL, content_warning=ALL,
        )  # fmt: skip
        *raters, other = launch(campaign, 3)
        Contact.objects.create(annotator=other, name=SCRIPTS[2], email="a@example.org")
        links.append(list(new_links(raters).values()))
        if protocol == "direct_assessment":
            send(other, other.assignments.earliest("pk"), comment=ALL)
    print(json.dumps(list(zip(*links, strict=True))))
