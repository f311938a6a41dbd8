"""R15: a researcher who asks for everything at once, and an owner who comes last."""

import time
from collections import Counter
from collections.abc import Iterator

from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT
from attack.people import Person, manage, signed_in
from attack.site import Site, running_site

ASKED = 60
DRAWS = "/api/v1/studies/load/reports/agreement/?resamples=100000&seed={}"
MAP = "/studies/load/map/?seed={}"
EXPORT = "/studies/load/export/"
WAITING = """
from corpus.models import Job
print(Job.objects.filter(state="queued", created_by__username="eve").count())
"""
ORDER = """
from corpus.models import Job
export = Job.objects.get(kind="export")
if export.started_at is None:
    print("- -")
else:
    before = Job.objects.filter(started_at__gt=export.created_at, started_at__lt=export.started_at)
    print(before.count(), (export.started_at - export.created_at).total_seconds())
"""


def replay() -> Iterator[Line]:
    """Ask for reports and maps, then for the owner's export."""
    with running_site() as site:
        eve, ada = signed_in(site, "eve", "researcher"), signed_in(site, "ada", "owner")
        answers = _asked(eve, DRAWS)
        held = set(answers) == {400}
        yield Line("R15", f"{ASKED} reports of 100,000 draws", _words(answers), held)
        answers = _asked(eve, MAP)
        waiting = int(manage(site, WAITING))
        figure = f"{_words(answers)}; {waiting} waiting"
        held = waiting <= 20 and set(answers) <= {200, 202, 429}
        yield Line("R15", f"{ASKED} maps of texts", figure, held)
        ada.post(EXPORT, {})
        before, seconds = _begun(site)
        figure = f"{before} jobs were begun before it, {seconds:.1f} s"
        yield Line("R15", "an owner's export behind them", figure, before <= 1)


def _asked(eve: Person, path: str) -> Counter[int]:
    return Counter(eve.get(path.format(seed)).status for seed in range(1, ASKED + 1))


def _words(answers: Counter[int]) -> str:
    return ", ".join(f"{count} × {status}" for status, count in sorted(answers.items()))


def _begun(site: Site) -> tuple[int, float]:
    """Wait until the export was begun; return how many jobs were before it, and for how long."""
    end = time.monotonic() + SECONDS_TO_WAIT
    while time.monotonic() < end:
        before, seconds = manage(site, ORDER).split()
        if before != "-":
            return int(before), float(seconds)
        time.sleep(1)
    raise TimeoutError(f"the export had not begun after {SECONDS_TO_WAIT:.0f} s")
