"""Take the pictures that the README shows, of the demo study.

    python scripts/picture_help.py

In a new database it imports the demo study, starts a server, and takes each page of
`tests/fixtures/help_pictures.py` into `docs/pictures/`, with the outline of what it shows. A test
compares that outline with the page as it is now; where it fails, run this again.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WINDOW: Any = {"width": 1280, "height": 1180}


def main() -> None:
    """Make a database with the demo study, start a server, take the pictures."""
    sys.path.insert(0, str(ROOT))
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
        call_command("import_study", str(ROOT / "demo" / "formality-demo"), verbosity=0)
        _take_pictures()


def _take_pictures() -> None:
    from django.contrib.auth.models import User
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.test import Client
    from django.test.testcases import LiveServerThread
    from playwright.sync_api import sync_playwright

    from corpus.jobs.worker import run_next
    from tests.fixtures.chromium import CHROMIUM, CHROMIUM_FLAGS
    from tests.fixtures.help_pictures import FOLDER, PICTURES, outline

    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(User.objects.create_superuser("ada"))
    [(cookie, morsel)] = client.cookies.items()
    for address in PICTURES.values():
        client.get(address)
        while run_next():
            pass
    server = LiveServerThread("127.0.0.1", StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    site = f"http://127.0.0.1:{server.port}"
    FOLDER.mkdir(exist_ok=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_FLAGS)
            context = browser.new_context(viewport=WINDOW, color_scheme="light")
            shown: Any = {"name": cookie, "value": morsel.value, "url": site}
            context.add_cookies([shown])
            for name, address in PICTURES.items():
                page = context.new_page()
                page.goto(site + address)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=FOLDER / f"{name}.png")
                said = client.get(address).content.decode()
                (FOLDER / f"{name}.txt").write_text(outline(said), encoding="utf-8")
            browser.close()
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
