"""Touchstone from its wheel, in an empty environment, away from any checkout."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
import venv
from pathlib import Path

import pytest

from tests.fixtures.machine import ROOT, missing
from tests.fixtures.waiting import PATIENCE

LARGEST_DOWNLOAD = 152_000_000

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]


def run(*arguments, status=0, **options):
    done = subprocess.run(
        list(map(str, arguments)),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        **options,
    )
    said = done.stdout + done.stderr
    assert done.returncode == status, said
    return said


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The wheel, built here, and all that it needs, as pip brings them."""
    folder = tmp_path_factory.mktemp("wheels")
    documented = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    [build] = re.findall(r"^python3\.11 (-m pip wheel .*) --wheel-dir dist \.$", documented, re.M)
    [name] = set(re.findall(r"dist/(\S+\.whl)", documented))
    pip = [sys.executable, *build.split(), "--quiet", "--wheel-dir", str(folder)]
    if subprocess.run([*pip, str(ROOT)], check=False, timeout=PATIENCE).returncode:
        missing("an index of Python packages")
    pip.remove("--no-deps")
    run(*pip, folder / name)
    return folder


@pytest.fixture(scope="module")
def touchstone(wheels, tmp_path_factory):
    """Run the installed command in an empty folder, with nothing of this shell's settings."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    offline = ("--quiet", "--no-index", "--find-links", wheels)
    # What is not compiled beforehand is compiled when it is imported, which is a tenth of it.
    run(python, "-m", "pip", "install", "--no-compile", *offline, "touchstone-workbench")
    home = folder / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"}

    def call(*arguments, status=0):
        command = python.with_name("touchstone")
        return run(command, *arguments, status=status, cwd=home, env=environment)

    call.home, call.python, call.environment = home, python, environment
    call("migrate", "--verbosity", "0")
    return call


def test_the_core_is_a_small_download(wheels):
    sizes = {file.name: file.stat().st_size for file in wheels.iterdir()}
    assert not any(name.startswith(("torch-", "pyarrow-", "transformers-")) for name in sizes)
    assert sum(sizes.values()) < LARGEST_DOWNLOAD, sizes


def test_nothing_but_one_package_is_added_to_the_search_path(touchstone):
    code = "import importlib.util as u; print([u.find_spec(n) for n in ('corpus', 'config')])"
    assert run(touchstone.python, "-c", code, cwd=touchstone.home) == "[None, None]\n"


def test_data_are_kept_where_the_user_keeps_data(touchstone):
    assert (touchstone.home / ".local/share/touchstone/touchstone.sqlite3").exists()
    assert {path.name for path in touchstone.home.iterdir()} == {".local"}


def test_it_imports_reports_and_scores(touchstone):
    demo = ROOT / "demo" / "formality-demo"
    assert "outputs: 288 added" in touchstone("import_study", demo)
    archive = touchstone.home.parent / "agreement.zip"
    touchstone(
        "report", "formality-demo", "--kind", "agreement", "--format", "csv", "--output", archive
    )
    assert archive.stat().st_size
    assert "scored: chrf" in touchstone("score", "formality-demo", "chrf", "--against", "source")


def test_what_is_not_installed_is_named_with_the_command_that_brings_it(touchstone):
    said = touchstone("score", "formality-demo", "chrf", "cps", status=1)
    assert 'pip install "touchstone-workbench[neural]"' in said


def test_it_starts_and_answers(touchstone):
    command = touchstone.python.with_name("touchstone")
    process = subprocess.Popen(
        [command, "serve", "--port", "0"],
        cwd=touchstone.home,
        env=touchstone.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = next(
            filter(None, (re.search(r"http://\S+/sign-in/\S+", line) for line in process.stdout))
        )[0]
        with urllib.request.urlopen(address, timeout=PATIENCE) as page:
            assert page.status == 200
            text = page.read().decode()
        [style] = re.findall(r'href="(/static/[^"]+\.css)"', text)[:1]
        server = re.match(r"http://[^/]+", address)[0]
        with urllib.request.urlopen(server + style, timeout=PATIENCE) as sheet:
            assert sheet.status == 200
        with urllib.request.urlopen(server + "/help/installing.html", timeout=PATIENCE) as page:
            assert "Touchstone runs from a checkout" in page.read().decode()
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        process.stdout.close()


def test_every_template_and_module_of_the_checkout_is_installed(touchstone):
    where = "import touchstone_server as t; print(t.__path__[0])"
    installed = Path(run(touchstone.python, "-c", where, cwd=touchstone.home).strip())
    rooms = ("config", "analysis", "metrics", "annotation", "corpus")
    files = ("templates", "static", "demo", "docs", "locale")
    tracked = run("git", "ls-files", *rooms, *files, cwd=ROOT).splitlines()
    assert len(tracked) > 1000
    assert [name for name in tracked if not (installed / name).exists()] == []
