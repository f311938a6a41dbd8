"""R22: what other accounts of the machine can read, and a key that can be guessed."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator

from attack.finding import Line
from attack.site import Site, running_site
from benchmarks.rating_load import ROOT, environment

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_to_others(site: Site) -> list[str]:
    """Return what another account may reach: all below the folder if that is open."""
    data = [site.folder, *site.folder.glob("touchstone.sqlite3*"), site.folder / "secret_key"]
    return [each.name for each in data if each.stat().st_mode & OTHERS]


def starts_with_key(site: Site, key: str) -> bool:
    """Say whether Touchstone takes a key."""
    asked = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=ROOT, env=environment(site.folder) | {"SECRET_KEY": key},
        capture_output=True, check=False,
    )  # fmt: skip
    return asked.returncode == 0


def replay() -> Iterator[Line]:
    """Serve with the most generous umask, and start with a weak key."""
    umask = os.umask(0)
    try:
        with running_site() as site:
            found = open_to_others(site)
            what = "data under umask 0, open to other accounts"
            yield Line("R22", what, ", ".join(found) or "nothing", not found)
            taken = starts_with_key(site, "weak")
            figure = "taken" if taken else "refused"
            yield Line("R22", "start with SECRET_KEY=weak", figure, not taken)
    finally:
        os.umask(umask)
