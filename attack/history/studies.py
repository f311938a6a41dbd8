"""Two studies to rate: in one a shared queue and a list, in the other a list."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from benchmarks.rating_load import ROOT

SETUP = """
import json
from django.contrib.auth.models import User
from django.utils import timezone
from annotation.launch.launching import launch
from annotation.models import Annotator, Campaign
from annotation.people.invitations import new_links
from attack.history.marks import hidden
from benchmarks.plain_study import plain_study
from config.api_tokens import new_token
from corpus.models import Membership, System
from corpus.write_turn import write_turn
raters, tokens = [], {{}}
plan = {{"alpha": [("shared_queue", 6, 3), ("balanced_overlap", 3, 2)],
         "beta": [("balanced_overlap", 2, 2)]}}
for name, campaigns in plan.items():
    study = plain_study(name, {items})
    for system in System.objects.filter(study=study, kind="system"):
        system.name = hidden(name, system.ordinal)
        system.save()
    for role in ("owner", "researcher"):
        person = User.objects.create(username=f"{{role}}-of-{{name}}")
        Membership.objects.create(study=study, user=person, role=role)
        tokens[person.username] = new_token(person, "history", "write", None)
    for number, (design, people, each) in enumerate(campaigns):
        campaign = Campaign.objects.create(study=study, slug=f"c{{number}}", origin="live",
            protocol="direct_assessment", state="draft", design=design, ratings_per_item=each,
            seed=1)
        made = launch(campaign, people, turn=write_turn)
        links = new_links(made)
        raters += [[name, str(each.public_id), links[each.pk]] for each in made]
Annotator.objects.update(guidelines_read_at=timezone.now())
print(json.dumps([raters, tokens]))
"""
ITEMS_IN_A_SECOND = 0.8
"""So many are rated up towards the end that the queue runs out, which is when places are scarce."""
SYSTEMS = 10


@dataclass(frozen=True)
class Studies:
    """Who rates: study, public id and link of each; and tokens of members by name."""

    raters: list[tuple[str, str, str]]
    tokens: dict[str, str]


def prepare_studies(environment: dict[str, str], seconds: float) -> Studies:
    """Migrate an empty database and fill it with studies that last for so many seconds."""
    items = SYSTEMS * max(2, round(seconds * ITEMS_IN_A_SECOND / SYSTEMS))
    command = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True)
    made = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v0", "-c", SETUP.format(items=items)],
        cwd=ROOT, env=os.environ | environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    raters, tokens = json.loads(made.stdout.strip().splitlines()[-1])
    return Studies([tuple(each) for each in raters], tokens)
