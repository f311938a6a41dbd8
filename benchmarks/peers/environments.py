"""An environment of its own for each tool, kept for the next time."""

import os
import shutil
import subprocess
from pathlib import Path

from benchmarks.peers.tool import Package

KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "touchstone-peers"
PINS = Path(__file__).with_name("pins")
"""For each tool all that is installed with it, as `pip freeze` writes it."""


class NotInstalled(Exception):
    """A tool could not be installed here, for the reason given."""


def installed(package: Package, kept: Path = KEPT) -> Path:
    """Return the folder of commands of an environment in which a package is installed."""
    environment = _environment(package, kept)
    done = environment / "installed"
    pins = PINS / f"{package.requirements[0].partition('==')[0]}.txt"
    constraints = ["--constraint", str(pins)] if pins.exists() else []
    wanted = "\n".join((*package.requirements, pins.read_text() if constraints else ""))
    if done.exists() and done.read_text() == wanted:
        return environment / "bin"
    shutil.rmtree(environment, ignore_errors=True)
    _run(_python(package), "-m", "venv", str(environment))
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    _run(*pip, "--disable-pip-version-check", *constraints, *package.requirements)
    done.write_text(wanted)
    return environment / "bin"


def versions(package: Package, kept: Path = KEPT) -> list[str]:
    """Return all that is installed with a package, each with its version."""
    python = _environment(package, kept) / "bin" / "python"
    if not python.exists():
        return []
    return _run(str(python), "-m", "pip", "freeze", "--disable-pip-version-check").split("\n")[:-1]


def python_of(package: Package, kept: Path = KEPT) -> str:
    """Return the version of Python in which a package is installed; empty if it is not."""
    python = _environment(package, kept) / "bin" / "python"
    return _run(str(python), "--version").split()[-1] if python.exists() else ""


def _environment(package: Package, kept: Path) -> Path:
    return kept / package.requirements[0].replace("==", "-")


def _python(package: Package) -> str:
    for version in package.pythons:
        # A version manager's command may exist for a version that is not there.
        found = shutil.which(f"python{version}")
        pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        for path in (found, *map(str, pyenv)):
            if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0:
                return path
    raise NotInstalled(f"needs Python {' or '.join(package.pythons)}, which is not here")


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise NotInstalled((errors or done.stderr.splitlines() or ["no reason given"])[-1][:200])
    return done.stdout
