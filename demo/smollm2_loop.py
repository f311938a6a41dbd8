"""SmolLM2 as writer and as judge, beside simulated raters: ``python -m demo.smollm2_loop``.

Makes a study of 40 sources of the demo, lets SmolLM2 and rules write them, SmolLM2 judge both, one
output at a time and in pairs, and four simulated raters rate them; then it says what the report
*Stand-in* says of this judge. Nothing leaves this machine. Run it again to go on.
"""

import csv
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import django

from demo.make_demo import FOLDER, SEGMENT_COLUMNS
from demo.rate_campaign import rate_campaign

if TYPE_CHECKING:
    from corpus.models import Study

SLUG, CAMPAIGN, ASPECT = "smollm2-loop", "simulated-raters", "content"
SOURCES = 40
RECIPE = Path(__file__).with_name("smollm2_loop.toml")
DESCRIPTION = (
    "SIMULATED RATINGS: no person rated anything here. Sources of the formality demo, written by a "
    "language model and by rules, and rated by a seeded simulator from what the texts have in "
    "common with their references."
)
STUDY = {
    "title": "SmolLM2 as writer and judge (simulated ratings)",
    "description": DESCRIPTION,
    "language": "en",
    "simulated": True,
}


def run_loop(
    folder: Path, say: Callable[[str], object], sources: int = SOURCES, recipe: Path = RECIPE
) -> list[str]:
    """Do what is left of the loop, and return the sentences of the report *Stand-in*.

    Parameters
    ----------
    folder
        Where tables, recipe and the list of done steps are kept.
    say
        Hears what is done.
    sources
        How many are written, half of each direction.
    recipe
        Of writers, campaign and judges.

    Raises
    ------
    RuntimeError
        If a step failed; the next run tries it again.
    """
    from annotation.models import Campaign
    from config.benchmark.running import run_recipe

    study = _made_study(folder, sources)
    copy = folder / "recipe.toml"
    shutil.copyfile(recipe, copy)
    if failed := run_recipe(copy, say):
        raise RuntimeError(f"{failed} steps failed; the same command tries them again")
    campaign = Campaign.objects.select_related("study").get(study=study, slug=CAMPAIGN)
    say(f"{rate_campaign(campaign):,} screens rated by simulated raters")
    return _sentences(study)


def _made_study(folder: Path, sources: int) -> "Study":
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from corpus.models import Membership, Study

    tables = folder / SLUG
    tables.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "segments.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    with (tables / "segments.csv").open("w", encoding="utf-8", newline="") as lines:
        table = csv.DictWriter(lines, SEGMENT_COLUMNS, lineterminator="\n")
        table.writeheader()
        for style in ("informal", "formal"):
            table.writerows([row for row in rows if row["source_style"] == style][: sources // 2])
    (tables / "study.json").write_text(json.dumps(STUDY), encoding="utf-8")
    call_command("import_study", str(tables), verbosity=0)
    study = Study.objects.get(slug=SLUG)
    # Campaigns are prepared in somebody's name; this one cannot sign in.
    owner, created = User.objects.get_or_create(username=SLUG)
    if created:
        owner.set_unusable_password()
        owner.save()
    Membership.objects.get_or_create(
        study=study, user=owner, defaults={"role": Membership.Role.OWNER}
    )
    return study


def _sentences(study: "Study") -> list[str]:
    from analysis.filter.question import Question
    from analysis.reports.service import report
    from analysis.reports.stand_in.content import StandInReport
    from analysis.verdicts.metrics import stand_in_sentences

    found = report(study, "stand-in", Question.parse({"aspect": [ASPECT]}))
    content = StandInReport.from_dict(found["content"])
    return [
        "".join(part["text"] for part in sentence["parts"])
        for sentence in stand_in_sentences(content)
    ]


def main() -> None:
    """Run the loop in the data folder, and say how long it took."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    call_command("migrate", verbosity=0)

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    start, used = time.monotonic(), time.process_time()
    for sentence in run_loop(settings.DATA_DIR / SLUG, say):
        say(sentence)
    took, used = (time.monotonic() - start) / 60, (time.process_time() - used) / 60
    say(f"{took:.1f} minutes, {used:.1f} of them of the processor")


if __name__ == "__main__":
    main()
