"""Touchstone from its wheel, away from any checkout."""

import os
import re
import shlex
import shutil
import signal
import site
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from tests.fixtures.machine import ROOT, missing
from tests.fixtures.waiting import PATIENCE

LARGEST_DOWNLOAD = 190_000_000
DOCUMENTED = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
[WHEEL] = set(re.findall(r"dist/(\S+\.whl)\b", DOCUMENTED))

pytestmark = [pytest.mark.slow, pytest.mark.nightly, pytest.mark.sqlite]


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


def documented(pattern):
    """Return a command of the page, in which the folder is `dist`."""
    [command] = re.findall(rf"^({pattern}.*)$", DOCUMENTED, re.MULTILINE)
    return shlex.split(command)


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """What `make dist` writes."""
    folder = tmp_path_factory.mktemp("dist")
    [build] = re.findall(
        r"^\t\$\(BIN\)/python (-m hatchling .*) dist$", (ROOT / "Makefile").read_text(), re.M
    )
    run(sys.executable, *build.split(), folder, cwd=ROOT)
    return folder


@pytest.fixture(scope="module")
def wheels(dist):
    """The wheel with all that it needs, as pip brings them."""
    _, *command = documented(r"python3\.11 -m pip wheel ")
    command = [word.replace("dist", str(dist), 1) for word in command]
    if subprocess.run([sys.executable, *command, "--quiet"], check=False).returncode:
        missing("an index of Python packages")
    return dist


def offline(python, wheels):
    """Install the wheel and what it needs into an empty environment."""
    _, *command = documented("touchstone/bin/pip install ")
    command = [word.replace("dist", str(wheels)) for word in command]
    # What is not compiled beforehand is compiled when it is imported, which is a tenth of it.
    run(python, "-m", "pip", *command, "--no-compile", "--quiet")


def beside_packages_of_tests(python, dist):
    """Install the wheel alone; what it needs is found where these tests find it."""
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]
    run(*pip, "--no-index", "--no-deps", dist / WHEEL)
    [packages] = (python.parent.parent / "lib").glob("python*/site-packages")
    (packages / "tests.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")


@pytest.fixture(
    scope="module",
    params=["beside the packages of tests", pytest.param("empty", marks=pytest.mark.nightly)],
)
def touchstone(request, dist, tmp_path_factory):
    """Run the installed command in an empty folder, with nothing of this shell's settings."""
    folder, is_empty = tmp_path_factory.mktemp("installed"), request.param == "empty"
    venv.create(folder / "venv", with_pip=is_empty)
    python = folder / "venv" / "bin" / "python"
    if is_empty:
        offline(python, request.getfixturevalue("wheels"))
    else:
        beside_packages_of_tests(python, dist)
    home = folder / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1"}

    def call(*arguments, status=0):
        command = python.with_name("touchstone")
        return run(command, *arguments, status=status, cwd=home, env=environment)

    call.home, call.python, call.environment = home, python, environment
    call.is_empty = is_empty
    call("migrate", "--verbosity", "0")
    return call


def test_the_source_distribution_gives_the_same_wheel(dist, tmp_path):
    [archive] = dist.glob("*.tar.gz")
    shutil.unpack_archive(archive, tmp_path)
    [source] = tmp_path.iterdir()
    assert (source / "tests" / "conftest.py").exists()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path, cwd=source)
    with zipfile.ZipFile(dist / WHEEL) as here, zipfile.ZipFile(tmp_path / WHEEL) as there:
        files = {each.filename: each.CRC for each in here.infolist()}
        assert {each.filename: each.CRC for each in there.infolist()} == files


def test_the_core_is_a_small_download(wheels):
    sizes = {file.name: file.stat().st_size for file in wheels.glob("*.whl")}
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
    if not touchstone.is_empty:
        pytest.skip("beside the packages of tests nothing is absent")
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
