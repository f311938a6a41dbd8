"""Migrations of a release never change: databases somewhere count them as applied."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fixtures.machine import ROOT

WHERE = ":(glob)*/migrations/0*.py"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> list[str]:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def changed_since_releases(folder: Path) -> list[str]:
    """Return migrations that a release has and that are gone or another by now."""
    tags = git(folder, "tag", "--list", "v[0-9]*")
    kinds = ("--name-only", "--diff-filter=DMRT", "--no-renames")
    return [f"{tag}: {n}" for tag in tags for n in git(folder, "diff", *kinds, tag, "--", WHERE)]


def test_migrations_are_as_they_were_released():
    assert not changed_since_releases(ROOT), "add another migration instead"
