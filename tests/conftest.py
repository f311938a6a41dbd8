"""What every test may ask for: databases, servers, a browser, real processes and the studies."""

import asyncio
import gc
import os
import shutil
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import hypothesis
import pytest

from tests.fixtures import released_wmt23
from tests.fixtures.chromium import CHROMIUM, CHROMIUM_FLAGS
from tests.fixtures.listed_places import LISTS
from tests.fixtures.machine import ROOT, missing
from tests.fixtures.waiting import PATIENCE


def pytest_configure() -> None:
    """Let no generated example be too slow: a machine may be busy."""
    hypothesis.settings.register_profile(
        "busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.load_profile("busy")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among what is collected, which stays to the end.

    With thousands of tests that took as long as all the rest of their collection.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let files that take long come first, lest one process ends long after the others."""
    names = (ROOT / "tests" / "longest_first.txt").read_text(encoding="utf-8").split()
    places = {name: place for place, name in enumerate(names)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


# Settings for the whole run


@pytest.fixture(scope="session", autouse=True)
def _settings_for_tests(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Keep the run's files out of the data folder, and need no collected static files."""
    if not pytestconfig.pluginmanager.hasplugin("django"):
        yield
        return
    from django.conf import settings
    from django.test import override_settings

    from tests.fixtures.signed_sessions import sign_cookies

    static = "django.contrib.staticfiles.storage.StaticFilesStorage"
    sign_cookies()
    with override_settings(
        MEDIA_ROOT=tmp_path_factory.mktemp("files"),
        STATIC_ROOT=tmp_path_factory.mktemp("staticfiles"),
        STORAGES={**settings.STORAGES, "staticfiles": {"BACKEND": static}},
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        JOB_QUEUE="",
        # A test's transaction hides its jobs from the thread that renews their leases.
        JOB_LEASE_SECONDS=1800,
    ):
        yield


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own
    folder = folder / "shared"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, shared_folder: Path
) -> Iterator[None]:
    """Give this process a copy of a database that was migrated once for the whole run.

    SQLite uses a file: a database in memory knows neither WAL nor a second process. A test with
    real transactions is followed by a new copy, which costs less than to empty the tables.
    """
    from django.core.management import call_command
    from django.test import TransactionTestCase

    from tests.fixtures import databases

    databases.of_this_run = of_this_run = databases.Databases(shared_folder)
    as_published: Any = TransactionTestCase
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(as_published, "_fixture_teardown", lambda _: of_this_run.renew())
        migrated = of_this_run.filled("", lambda: call_command("migrate", verbosity=0))
        with django_db_blocker.unblock():
            migrated.__enter__()
        yield
        with django_db_blocker.unblock():
            migrated.__exit__(None, None, None)


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let the tests of a module find the demo study."""
    from tests.fixtures.report_pages import DEMO, imported

    with django_db_blocker.unblock(), imported(DEMO):
        yield


@pytest.fixture(scope="module")
def demo_reports(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let the tests of a module find the demo study and its reports, without comparisons."""
    from tests.fixtures.report_pages import DEMO, imported

    with django_db_blocker.unblock(), imported(DEMO, stored=True):
        yield


@pytest.fixture(scope="module")
def small_study(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Let the tests of a module find the study `small` of a few tables."""
    from tests.fixtures.report_pages import filled
    from tests.fixtures.study_files import TABLES, import_path, write_files

    def fill() -> None:
        job = import_path(write_files(tmp_path_factory.mktemp("study") / "small", TABLES))
        assert job.state == "done", job.error

    with django_db_blocker.unblock(), filled("small study", fill):
        yield


@pytest.fixture(scope="module")
def made_once(
    request: pytest.FixtureRequest,
    shared_folder: Path,
    django_db_setup: None,
    django_db_blocker: Any,
) -> Iterator[None]:
    """Let the tests of a module find its study, which is made once a run.

    The module has `FILES` to import, or `prepare`, which makes the study with what was trained on
    it; then its models lie in a folder that the processes of the run share.
    """
    from django.test import override_settings

    from tests.fixtures.report_pages import filled
    from tests.fixtures.study_files import import_path, write_files

    files = getattr(request.module, "FILES", None)
    prepare = None if files else request.module.prepare
    key = f"{prepare.__module__}.{prepare.__name__}" if prepare else repr(files)

    def fill() -> None:
        with TemporaryDirectory() as folder, patch.dict(os.environ):
            if prepare:
                prepare(Path(folder))
            else:
                job = import_path(write_files(Path(folder) / "small", files))
                assert job.state == "done", job.error

    media = {"MEDIA_ROOT": shared_folder / key} if prepare else {}
    with override_settings(**media), django_db_blocker.unblock(), filled(key, fill):
        yield


@pytest.fixture
def study_made_once(made_once: None, db: None) -> Any:
    """The study of a module, without a trace of other tests."""
    from corpus.models import Study

    return Study.objects.get(slug="small")


@pytest.fixture(scope="module")
def small_secret_study(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Let the tests of a module find the study `small`, whose texts and names carry a secret."""
    from tests.fixtures.report_pages import filled
    from tests.fixtures.secret_study import secret_study

    folder = tmp_path_factory.mktemp("secret") / "small"
    with django_db_blocker.unblock(), filled("secret study", lambda: secret_study(folder)):
        yield


# What a machine may lack


@pytest.fixture(scope="session")
def studies() -> Path:
    """The folder of published studies, read where it is and never copied."""
    default = ROOT.parent / "shared" / "studies"
    folder = Path(os.environ.get("TOUCHSTONE_STUDIES") or default)
    if not folder.is_dir():
        missing(f"the folder of published studies ({folder}; TOUCHSTONE_STUDIES names another)")
    return folder


@pytest.fixture(scope="session")
def golden() -> Path:
    """The folder of released data with the values that must come out, read where it is."""
    default = ROOT.parent / "shared" / "golden"
    folder = Path(os.environ.get("TOUCHSTONE_GOLDEN") or default)
    if not folder.is_dir():
        missing(f"the folder of golden values ({folder}; TOUCHSTONE_GOLDEN names another)")
    return folder


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of small inputs that others reported, read where it is."""
    default = ROOT.parent / "shared" / "cases"
    folder = Path(os.environ.get("TOUCHSTONE_CASES") or default)
    if not folder.is_dir():
        missing(f"the folder of reported cases ({folder}; TOUCHSTONE_CASES names another)")
    return folder


@pytest.fixture(scope="session")
def expected_of_wmt23(golden: Path) -> dict[str, Any]:
    """The values of WMT23 that must come out."""
    return released_wmt23.expected_of_wmt23(golden)


@pytest.fixture(scope="session")
def scores_of_wmt23(golden: Path) -> released_wmt23.Scores:
    """All released scores of two language pairs of WMT23, read once."""
    return released_wmt23.scores_of_wmt23(golden)


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of labelled sentences, read where it is and never copied."""
    default = ROOT.parent / "shared" / "corpora"
    folder = Path(os.environ.get("TOUCHSTONE_CORPORA") or default)
    if not folder.is_dir():
        missing(f"the folder of labelled sentences ({folder}; TOUCHSTONE_CORPORA names another)")
    return folder


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The address of a fresh, empty PostgreSQL database."""
    server = os.environ.get("TEST_POSTGRES_URL")
    if not server:
        missing("a PostgreSQL server (TEST_POSTGRES_URL, see scripts/with_services.sh)")
    with _postgres_database(server) as url:
        yield url


@pytest.fixture
def redis_url() -> Iterator[str]:
    """The address of an empty Redis database, emptied again afterwards."""
    url = os.environ.get("TEST_REDIS_URL")
    if not url:
        missing("a Redis server (TEST_REDIS_URL, see scripts/with_services.sh)")
    import redis

    # Each process of a run has a database of its own.
    url = f"{url.rpartition('/')[0]}/{os.environ.get('PYTEST_XDIST_WORKER', 'gw0')[2:]}"
    with redis.Redis.from_url(url) as client:
        if client.dbsize():
            pytest.fail(f"{url} holds data: tests need a Redis database of their own")
        yield url
        client.flushdb()


@pytest.fixture(scope="session")
def _browser() -> Iterator[tuple[Any, Any]]:
    """One headless Chromium for all tests of this process, and the event loop that drives it."""
    if not CHROMIUM.exists():
        missing(f"Chromium ({CHROMIUM})")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        _wait_for_pages(patch)
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_FLAGS)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


def _wait_for_pages(patch: pytest.MonkeyPatch) -> None:
    """Let a click, or a key pressed on something, return when the page it leads to is loaded.

    Playwright returns when that page begins to arrive. Where a script opens the page later, or a
    key is pressed on `page.keyboard`, a test waits for something of that page by itself.
    """
    from playwright.sync_api import Locator, Page

    def waiting(act: Callable[..., None]) -> Callable[..., None]:
        def act_and_wait(self: Locator | Page, *values: Any, **options: Any) -> None:
            act(self, *values, **options)
            page = self.page if isinstance(self, Locator) else self
            if not page.is_closed():
                page.wait_for_load_state()

        return act_and_wait

    for acting in (Locator, Page):
        for name in ("click", "press"):
            patch.setattr(acting, name, waiting(getattr(acting, name)))


@pytest.fixture(scope="module")
def _chromium(_browser: tuple[Any, Any]) -> Iterator[Any]:
    """The browser, for the tests of a module; to all others its event loop does not run."""
    browser, loop = _browser
    with pytest.MonkeyPatch.context() as patch:
        # Within an event loop Django would refuse to use the database.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        asyncio._set_running_loop(loop)
        yield browser
        asyncio._set_running_loop(None)


@pytest.fixture
def chromium_page(_chromium: Any) -> Iterator[Callable[..., Any]]:
    """Open pages: `chromium_page(width=390, height=844, dark=True, scripts=False, policy=False)`.

    Each call is a browser of its own: no cookie is shared between two of them. Without `policy` it
    runs what the content policy of a page forbids.
    """
    contexts = []

    def open_page(
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        scripts: bool = True,
        policy: bool = True,
    ) -> Any:
        context = _chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            bypass_csp=not policy,
        )
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def open_as(chromium_page: Callable[..., Any], live_server: Any) -> Iterator[Callable[..., Any]]:
    """Open pages as a person; what the browser complains of fails the test."""
    from django.conf import settings

    from analysis.data import matrices

    matrices.forget()
    complaints = []

    def open_page(client: Any, address: str, **options: Any) -> Any:
        page = chromium_page(**options)
        page.on("console", lambda message: complaints.append((message.text, message.location)))
        page.on("pageerror", lambda error: complaints.append((str(error), {})))
        if client is not None:
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            page.context.add_cookies(
                [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}]
            )
        page.goto(address if "://" in address else f"{live_server.url}{address}")
        return page

    yield open_page
    # A form that is refused, and the icon that browsers ask a page without one for.
    assert [
        (text, where)
        for text, where in complaints
        if not text.endswith(("(Bad Request)", "(Conflict)"))
        and not where.get("url", "").endswith("/favicon.ico")
    ] == []
    matrices.forget()


# The way of files through the pages


@pytest.fixture
def owner(client: Any) -> Any:
    """Somebody who is signed in."""
    from django.contrib.auth.models import User

    person = User.objects.create_user("owner")
    client.force_login(person)
    return person


@pytest.fixture
def study(owner: Any) -> Any:
    """An empty study of theirs."""
    from corpus.imports.service import create_study

    return create_study("small", owner)


@pytest.fixture
def pages(client: Any, study: Any) -> Any:
    """The import pages of that study."""
    from tests.fixtures.import_pages import ImportPages

    return ImportPages(client)


# Models and word vectors of the administrator


@pytest.fixture(autouse=True)
def _lists_as_they_were() -> Iterator[None]:
    """Take off the administrator's lists what a test has put there."""
    before = {name: os.environ.get(name) for name in LISTS}
    yield
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Let torch compute on one thread: tiny models are slower on several."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


# Metrics of another package


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The metrics of `own_metrics.py`, as if their package were installed, and a few of ours."""
    from metrics.scorers import registry
    from tests.fixtures import own_metrics

    caches = (registry.own_scorers, registry._known)
    monkeypatch.setattr(registry, "MODULES", ("surface",))
    monkeypatch.syspath_prepend(str(own_metrics.install(tmp_path / "installed")))
    for cached in caches:
        cached.cache_clear()
    own_metrics.Counting.asked.clear()
    yield own_metrics
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()


# Real processes


def _environment(folder: Path, database_url: str) -> dict[str, str]:
    """The environment of a process that writes below `folder` only."""
    kept = {name: value for name, value in os.environ.items() if name not in {"REDIS_URL", "PORT"}}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url,
        "TOUCHSTONE_DATA": str(folder),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture
def worker_environment(transactional_db: None, tmp_path: Path) -> dict[str, str]:
    """The environment of a process that shares this run's test database."""
    from django.conf import settings
    from django.db import connection

    values = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{values['NAME']}"
    else:
        login = f"{values['USER']}:{values['PASSWORD']}@{values['HOST']}:{values['PORT']}"
        url = f"postgres://{login}/{values['NAME']}"
    environment = _environment(tmp_path / "data", url)
    return environment | {"SECRET_KEY": settings.SECRET_KEY, "JOB_LEASE_SECONDS": "2"}


@pytest.fixture
def empty_environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a process with an empty database of its own, not migrated yet."""
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgres"):
        with _postgres_database(server) as url:
            yield _environment(tmp_path / "data", url)
    else:
        yield _environment(tmp_path / "data", f"sqlite:///{tmp_path / 'own.sqlite3'}")


@pytest.fixture
def migrated_environment(django_db_setup: None, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a process with a migrated database of its own, which is empty."""
    from tests.fixtures import databases

    template = databases.of_this_run.template
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgres"):
        with _postgres_database(server, template) as url:
            yield _environment(tmp_path / "data", url)
    else:
        path = tmp_path / "own.sqlite3"
        shutil.copyfile(template, path)
        yield _environment(tmp_path / "data", f"sqlite:///{path}")


@contextmanager
def _postgres_database(server: str, template: str = "template1") -> Iterator[str]:
    """Give the address of a database that exists inside a with statement only."""
    import psycopg

    name = f"touchstone_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
