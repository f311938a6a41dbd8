"""Take a picture of the mapping page for a made-up file of each shape.

    python scripts/picture_mapping_pages.py FOLDER [WORD...]

For each shape of `tests/fixtures/import_shapes.py` and `import_kinds.py` (or those whose names have
one of the words) it uploads the files into a new study, in a new database, and takes the page at
1280 and 390 pixels, light and dark, as PNG files into the folder. It prints how large each page is
and how long it took.
"""

import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WINDOWS = ((1280, 900), (390, 844))


def main() -> None:
    """Make a database, start a server, look at each page."""
    folder, words = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    with tempfile.TemporaryDirectory() as data:
        os.environ.pop("DATABASE_URL", None)
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TOUCHSTONE_DATA": data,
            "DEBUG": "1",
            # Playwright runs a loop of events in this thread.
            "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        _take_pictures(folder, words)


def _take_pictures(folder: Path, words: list[str]) -> None:
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.test.testcases import LiveServerThread
    from playwright.sync_api import sync_playwright

    from tests.fixtures.chromium import CHROMIUM, CHROMIUM_FLAGS

    server = LiveServerThread("127.0.0.1", StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    site = f"http://127.0.0.1:{server.port}"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_FLAGS)
            for name, address, cookie in _uploaded(words):
                for width, height in WINDOWS:
                    for scheme in ("light", "dark"):
                        context = browser.new_context(
                            viewport={"width": width, "height": height}, color_scheme=scheme
                        )
                        shown: Any = {**cookie, "url": site}
                        context.add_cookies([shown])
                        page = context.new_page()
                        page.goto(site + address)
                        path = folder / f"{name}-{width}-{scheme}.png"
                        page.screenshot(path=path, full_page=True)
                        context.close()
            browser.close()
    finally:
        server.terminate()


def _uploaded(words: list[str]) -> Any:
    """Yield each shape's name with the address of its mapping page, and the cookie to see it."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import reverse

    from corpus.imports.service import create_study
    from tests.fixtures.import_kinds import KINDS
    from tests.fixtures.import_pages import sent_files
    from tests.fixtures.import_shapes import SHAPES, many_columns, many_files

    ada = User.objects.create_user("ada")
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(ada)
    [(cookie, morsel)] = client.cookies.items()
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
        yield name, sent.url, {"name": cookie, "value": morsel.value}


if __name__ == "__main__":
    main()
