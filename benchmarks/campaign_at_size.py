"""How long the owner of a very large campaign waits, and who rates in it for the next item.

    python -m benchmarks.campaign_at_size [--items 100000] [--designs balanced_overlap shared_queue]

For each number of items and each design, in a database of its own: the preview, the start, the
next item of an annotator, then, with every rating given, the page of the campaign and the file of
its answers. Each step runs in a process of its own, whose pages are asked by the test client, the
first time ("cold") and again. "processor" is processor time, which other work on the machine
stretches less than the clock's; "memory" is the most that the process held.
"""

import argparse
import itertools
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.figures import show_figure
from benchmarks.fresh_site import run_step, start_django
from benchmarks.plain_study import answer_everything, plain_study

ANNOTATORS, RATINGS, ASPECTS = 20, 3, ("style", "content", "fluency")
SLUG = "sized"
PAGE = f"/studies/{SLUG}/campaigns/{SLUG}/"
CLAIMS = 300


def prepare(items: int, design: str) -> None:
    """Make the study and a campaign that is not started."""
    start_django()
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from annotation.models import Campaign

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    User.objects.create_superuser("reader", password="not used")
    Campaign.objects.create(
        study=plain_study(SLUG, items),
        **{"slug": SLUG, "title": "Sized", "protocol": "direct_assessment", "origin": "live"},
        **{"state": "draft", "design": design, "ratings_per_item": RATINGS, "seed": 1},
        selection={"annotators": ANNOTATORS},
    )


def preview(items: int, design: str) -> None:
    """Ask for the preview."""
    client = _reader()
    for again in ("cold", "again"):
        _told(f"preview, {again}", lambda: client.get(f"{PAGE}preview/"))


def start(items: int, design: str) -> None:
    """Start the campaign as its job does."""
    campaign = _campaign()
    from annotation.launch.launching import launch
    from corpus.write_turn import write_turn

    _told("start", lambda: launch(campaign, ANNOTATORS, turn=write_turn))


def claims(items: int, design: str) -> None:
    """Hand the next items out to annotators in turn, and give each back as answered."""
    campaign = _campaign()
    from annotation.models import Annotator, Assignment
    from annotation.queue.handing_out import arrive

    people = list(Annotator.objects.select_related("campaign__study"))
    spent = []
    for person in itertools.islice(itertools.cycle(people), CLAIMS):
        begun = process_time()
        [lead] = arrive(person)
        spent.append(process_time() - begun)
        Assignment.objects.filter(pk=lead.pk).update(state="submitted", lease_until=None)
    median = sorted(spent)[len(spent) // 2]
    _tell("next item, median", median, median)
    Assignment.objects.filter(annotator__campaign=campaign).update(state="open")


def answered(items: int, design: str) -> None:
    """Give every rating that is assigned."""
    answer_everything(_campaign(), ASPECTS)


def look(items: int, design: str) -> None:
    """Ask for the page of the campaign and its parts, once the study was read."""
    client = _reader()
    from corpus.jobs.worker import run_next

    for again in ("cold", "again"):
        _told(f"campaign, {again}", lambda: client.get(PAGE))
    client.get(f"{PAGE}?part=quality")
    while run_next():
        pass
    for again in ("cold", "again"):
        _told(f"its disagreement, {again}", lambda: client.get(f"{PAGE}?part=quality"))


def answers(items: int, design: str) -> None:
    """Ask for the file of all answers, its first bytes and the whole."""
    client = _reader()
    address = f"{PAGE}answers.csv"
    client.get(address).streaming_content.__next__()
    _told("answers, first bytes", lambda: next(client.get(address).streaming_content))
    parts = client.get(address).streaming_content
    _told("answers, whole", lambda: sum(map(len, parts)))


STEPS = (prepare, preview, start, claims, answered, look, answers)
OF_LISTS = (answered, look, answers)
"""What needs a rating at each item; in a queue nothing is assigned before somebody comes."""


def _campaign() -> Any:
    start_django()
    from annotation.models import Campaign

    return Campaign.objects.select_related("study").get()


def _reader() -> Any:
    """Return a client that has shown a page: the first loads what pages need."""
    start_django()
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client()
    client.force_login(User.objects.get())
    client.get(f"/studies/{SLUG}/members/")
    return client


def _told(what: str, ask: Any) -> None:
    begun, clock = process_time(), perf_counter()
    ask()
    _tell(what, perf_counter() - clock, process_time() - begun)


def _tell(what: str, seconds: float, processor: float) -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {what:28} {seconds:10.4f} s {processor:10.4f} processor {memory:8.0f} MB", flush=True)
    *_, items, design = sys.argv  # Those of the step that this process takes.
    name = what.replace(", ", "_").replace(" ", "_")
    show_figure(f"campaign_at_size.{design}.{items}.{name}", seconds, "s")


def main() -> None:
    """Take each step in a process of its own."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--items", type=int, nargs="+", default=[1000, 100_000])
    parser.add_argument("--designs", nargs="+", default=["balanced_overlap", "shared_queue"])
    parser.add_argument("--of-process", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    steps = {step.__name__: step for step in STEPS}
    if options.of_process:
        name, items, design = options.of_process
        return steps[name](int(items), design)
    for items, design in itertools.product(options.items, options.designs):
        print(f"{items:,} items, {design}", flush=True)
        with tempfile.TemporaryDirectory(prefix="touchstone-size-") as data:
            for step in STEPS:
                if design != "shared_queue" or step not in OF_LISTS:
                    run_step(
                        data, "campaign_at_size", "--of-process", step.__name__, str(items), design
                    )
            size = Path(data, "fresh.sqlite3").stat().st_size
            print(f"  {'database':28} {size / 1e6:10.0f} MB", flush=True)
    return None


if __name__ == "__main__":
    sys.exit(main())
