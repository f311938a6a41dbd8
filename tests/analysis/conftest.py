"""Studies that all tests of a module read, imported once for them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

Fill = Callable[[Path], object]


@pytest.fixture(scope="module")
def once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Fill], None]]:
    """Let the tests of a module begin with what `fill` stores, which gets a folder of its own."""
    from tests.fixtures.report_pages import filled

    with ExitStack() as stack:
        stack.enter_context(django_db_blocker.unblock())

        def run(fill: Fill) -> None:
            folder = tmp_path_factory.mktemp("once")
            stack.enter_context(filled(str(folder), lambda: fill(folder)))

        yield run


@pytest.fixture(scope="module")
def import_once(once: Callable[[Fill], None]) -> Callable[..., None]:
    """Import files for all tests of a module: `import_once(files, slug)`."""
    from tests.fixtures.study_files import import_path, write_files

    def run(files: dict[str, Any], slug: str = "small", **options: Any) -> None:
        def fill(folder: Path) -> None:
            job = import_path(write_files(folder / slug, files), slug, **options)
            assert job.state == "done", job.error or job.result

        once(fill)

    return run


@pytest.fixture(scope="module")
def wmt23(golden: Path, django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Two language pairs of WMT23, imported as they were released, once for all modules."""
    from tests.fixtures.released_wmt23 import LANGUAGE_PAIRS
    from tests.fixtures.report_pages import filled
    from tests.fixtures.study_files import import_path

    def fill() -> None:
        for pair in LANGUAGE_PAIRS:
            job = import_path(golden / "wmt23" / f"wmt23-{pair}.tgz", slug=f"wmt23-{pair}")
            assert job.state == "done", job.result

    with django_db_blocker.unblock(), filled("wmt23", fill):
        yield


@pytest.fixture
def study(db: None) -> Any:
    """The only study."""
    from corpus.models import Study

    return Study.objects.get()
