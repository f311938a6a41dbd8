"""`manage.py verify_report REPORT…`: compute frozen reports again and compare every number."""

import json
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.frozen.inputs import InputsError
from analysis.frozen.service import Verification, canonical_json, verify
from analysis.models import FrozenReport
from corpus.models import Study

MOST_SHOWN = 20


class Command(BaseCommand):
    """Verify reports by number, or from the zip that their page offers."""

    help = (
        "Compute frozen reports again from their kept inputs and name every difference. "
        "Ends with 1 if a number differs by more than rounding."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what may be verified."""
        parser.add_argument("report", nargs="+", help="number of a frozen report, or its zip")

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify each and say how it came out."""
        failed = [name for name in options["report"] if not self._one(name)]
        if failed:
            raise CommandError(f"not reproduced: {', '.join(failed)}")

    def _one(self, name: str) -> bool:
        frozen = _from_zip(Path(name)) if not name.isdecimal() else _stored(int(name))
        try:
            found = verify(frozen)
        except InputsError as error:
            raise CommandError(f"{name}: {error}") from None
        self.stdout.write(f"{name}: {frozen.title}, {frozen.sha256[:12]}: {_words(found)}")
        for versioned, (before, after) in found.versions.items():
            self.stdout.write(f"  {versioned} was {before}, is {after}")
        for each in found.differences[:MOST_SHOWN]:
            size = "" if each.relative == float("inf") else f" (relative {each.relative:.2g})"
            self.stdout.write(f"  {each.place}: was {each.frozen}, is {each.now}{size}")
        if len(found.differences) > MOST_SHOWN:
            self.stdout.write(f"  and {len(found.differences) - MOST_SHOWN} more")
        return found.is_reproduced


def _words(found: Verification) -> str:
    if found.is_damaged:
        return "damaged: what is kept is not what was frozen"
    if found.is_equal:
        return "equal to the bit"
    count = len(found.differences)
    if found.is_reproduced:
        return f"equal up to rounding: {count} numbers differ by at most 1e-12 relative"
    return f"{count} places differ"


def _stored(pk: int) -> FrozenReport:
    frozen = FrozenReport.objects.filter(pk=pk).first()
    if frozen is None:
        raise CommandError(f"no frozen report {pk}; the page of frozen reports lists them")
    return frozen


def _from_zip(path: Path) -> FrozenReport:
    """Read a report that was saved with its inputs; nothing is stored."""
    try:
        with zipfile.ZipFile(path) as bundle:
            facts = json.loads(bundle.read("report.json"))
            inputs = bundle.read("inputs.zip")
        of_study = facts["study"]
        return FrozenReport(
            study=Study(slug=of_study["slug"], simulated=of_study["simulated"]),
            title=facts["title"],
            kind=facts["kind"],
            question=facts["question"],
            content_json=canonical_json(facts["report"]),
            sha256=facts["sha256"],
            inputs=inputs,
            inputs_sha256=facts["inputs_sha256"],
        )
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise CommandError(f"{path}: no saved report with its inputs: {error!r}") from None
