"""Take a picture of the mapping page for a made-up file of each shape.

    python scripts/picture_mapping_pages.py FOLDER [WORD...]

For each shape of `tests/fixtures/import_shapes.py` and `import_kinds.py` (or those whose names have
one of the words) it uploads the files into a new study, in a new database, and takes the page at
1280 and 390 pixels, light and dark, as PNG files into the folder. It prints how large each page is
and how long it took.
"""

import re
import sys
import time
from pathlib import Path
from typing import Any

WINDOWS = ((1280, 900), (390, 844))


def main() -> None:
    """Look at each page."""
    folder, words = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from tests.fixtures.fresh_site import fresh_site

    with fresh_site() as site:
        for name, client, address in _uploaded(words):
            for window in WINDOWS:
                for scheme in ("light", "dark"):
                    with site.opened(client, address, window, scheme) as page:
                        path = folder / f"{name}-{window[0]}-{scheme}.png"
                        page.screenshot(path=path, full_page=True)


def _uploaded(words: list[str]) -> Any:
    """Yield each shape's name, who uploaded its files, and the address of its mapping page."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import reverse

    from corpus.imports.service import create_study
    from tests.fixtures.import_kinds import KINDS
    from tests.fixtures.import_pages import sent_files
    from tests.fixtures.import_shapes import SHAPES, many_columns, many_files

    ada = User.objects.create_user("ada")
    client = Client()
    client.force_login(ada)
    shapes = SHAPES | KINDS | {"2000 columns": many_columns(), "150 files": many_files()}
    for title, files in shapes.items():
        if words and not any(word in title for word in words):
            continue
        name = re.sub(r"\W+", "-", title).lower()
        create_study(name, ada, title=title.capitalize())
        upload = {"files": sent_files(files)}
        sent: Any = client.post(reverse("study-import", args=[name]), upload)
        begun = time.monotonic()
        page = client.get(sent.url)
        seconds = time.monotonic() - begun
        sys.stdout.write(f"{title}: {len(page.content) >> 10:,} KiB in {seconds:.2f} s\n")
        yield name, client, sent.url


if __name__ == "__main__":
    main()
