"""Published migrations never change: databases somewhere count them as applied."""

import hashlib

from django.db.migrations.loader import MigrationLoader

from tests.fixtures.machine import ROOT

PUBLISHED = ROOT / "tests/published_migrations.txt"
ROOMS = {
    "analysis": "analysis",
    "annotation": "annotation",
    "corpus": "corpus",
    "metrics": "metrics",
    "site": "config",
}


def lines():
    """Return a line for each migration: name, SHA-256 of its file, what it depends on."""
    for (app, name), migration in sorted(MigrationLoader(None).disk_migrations.items()):
        if app in ROOMS:
            digest = hashlib.sha256((ROOT / f"{ROOMS[app]}/migrations/{name}.py").read_bytes())
            parents = sorted(".".join(parent) for parent in migration.dependencies)
            yield " ".join([f"{app}.{name}", digest.hexdigest(), *parents])


def test_published_migrations_are_as_they_were_published():
    published = PUBLISHED.read_text().splitlines()
    there = set(lines())
    changed = [line for line in published if line not in there]
    assert not changed, (
        "these published migrations changed, moved or are gone; databases that have applied them "
        f"would not be what the code expects. Add another migration instead: {changed}"
    )


def test_every_migration_is_on_the_list_of_published_ones():
    new = "\n".join(set(lines()) - set(PUBLISHED.read_text().splitlines()))
    assert not new, f"add to tests/published_migrations.txt:\n{new}"
