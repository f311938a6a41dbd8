"""Take the pictures that the README and the help show.

    python scripts/picture_help.py [NAME...]

In a new database it imports the demo study, and takes the pages of
`tests/fixtures/help_pictures.py` (or those named) into `docs/pictures/`, light and dark, with the
outline of what each shows. A test compares that outline with the page as it is now; where it fails,
run this again and look at the pictures.
"""

import base64
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
QUALITY = 42
"""Of WebP, up to 100: letters are sharp, and a picture weighs a quarter of a PNG."""


def main() -> None:
    """Take the pictures."""
    sys.path.insert(0, str(ROOT))
    from tests.fixtures.fresh_site import fresh_site

    with fresh_site() as site:
        _take_pictures(site, sys.argv[1:])


def _take_pictures(site: Any, names: list[str]) -> None:
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from corpus.jobs.worker import run_next
    from tests.fixtures.help_pictures import DEMO, FOLDER, PICTURES, WIDTH, file_of, outline

    call_command("import_study", str(DEMO), verbosity=0)
    User.objects.create_superuser("ada")
    FOLDER.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        if names and name not in names:
            continue
        client, address = picture.open()
        client.get(address)
        while run_next():
            pass
        for scheme in ("light", "dark"):
            with site.opened(client, address, (WIDTH, picture.height), scheme) as page:
                taken = {"format": "webp", "quality": QUALITY}
                shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", taken)
                file_of(name, scheme).write_bytes(base64.b64decode(shot["data"]))
        said = outline(client.get(address).content.decode())
        (FOLDER / f"{name}.txt").write_text(said, encoding="utf-8")
        sys.stdout.write(f"{name}: {file_of(name).stat().st_size >> 10} KiB\n")


if __name__ == "__main__":
    main()
