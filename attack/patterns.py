"""R5: a pattern of system names on which a matcher that goes back never ends."""

import threading
import time
from collections.abc import Iterator

from attack.finding import Line
from attack.patience import in_time
from attack.people import Person, manage, signed_in
from attack.site import running_site

SYSTEM = """
from corpus.models import Study, System
System.objects.create(study=Study.objects.get(), ordinal=99, name="a" * 190)
"""
GROUPS = "abcdefghij"
PLAIN = "/studies/load/systems/?pattern=%7Ba%7D"
PAGE = "/studies/load/systems/?pattern=" + "".join(f"%7B{each}%7D" for each in GROUPS) + "Z"
MOST_SECONDS = 5.0


def timed(person: Person, path: str) -> tuple[float, bool]:
    """Return how long a page took, and whether it came."""
    started = time.monotonic()
    try:
        answered = person.get(path).status == 200
    except OSError:
        answered = False
    return time.monotonic() - started, answered


def replay() -> Iterator[Line]:
    """Ask for the page twice at once, as often as there are processes, and sign in meanwhile."""
    with running_site() as site:
        manage(site, SYSTEM)
        ada, others = signed_in(site, "ada", "owner"), Person(site)
        harmless, _ = timed(ada, PLAIN)
        pages: list[tuple[float, bool]] = []
        askers = [threading.Thread(target=lambda: pages.append(timed(ada, PAGE))) for _ in range(2)]
        for each in askers:
            each.start()
        meanwhile = [timed(others, "/sign-in/")]
        while any(each.is_alive() for each in askers):
            meanwhile.append(timed(others, "/sign-in/"))
        figure = (
            f"the pages took {max(pages)[0]:.2f} s at most, "
            f"/sign-in/ meanwhile {max(meanwhile)[0]:.2f} s"
        )
        seconds, answered = zip(*pages, *meanwhile, strict=True)
        what = f"a pattern of {len(GROUPS)} groups over a name of 190"
        figure += f"; a pattern of one group alone {harmless:.2f} s"
        quick = in_time(max(seconds), MOST_SECONDS, harmless)
        yield Line("R5", what, figure, all(answered), quick)
