"""A site under faults that a seed draws loses nothing, and shows nobody what is not theirs.

`HISTORY_SECONDS` and `HISTORY_SEED` choose another history; docs/histories.md describes it.
"""

import json
import os
from collections import Counter
from contextlib import closing
from dataclasses import replace

import pytest

from tests.attacks.histories.annotator import Annotator
from tests.attacks.histories.browser import Browser
from tests.attacks.histories.checker import check
from tests.attacks.histories.faults import let_fail
from tests.attacks.histories.machine import Machine
from tests.attacks.histories.onlookers import Onlooker, Owner
from tests.attacks.histories.operations import OK, History
from tests.attacks.histories.stored import read_stored
from tests.fixtures.served_sites import manage

SECONDS = float(os.environ.get("HISTORY_SECONDS", "25"))
SEED = int(os.environ.get("HISTORY_SEED", "316"))
ENOUGH = 20
MEMBERS = frozenset({"owner-alpha", "owner-beta", "researcher-beta"})
# So many are rated up towards the end that the queue runs out, which is when places are scarce.
ITEMS_IN_A_SECOND = 0.8
SYSTEMS = 10
SETUP = """
import json
from django.contrib.auth.models import User
from django.utils import timezone
from annotation.models import Annotator
from annotation.people.invitations import new_links
from config.accounts.tokens import new_token
from corpus.models import Membership, System
from tests.fixtures.campaigns import make_campaign, make_study
raters, tokens = [], {{}}
plan = {{"alpha": [("shared_queue", 6, 3), ("balanced_overlap", 3, 2)],
         "beta": [("balanced_overlap", 2, 2)]}}
for name, campaigns in plan.items():
    study = make_study({segments}, {systems}, slug=name)
    for system in System.objects.filter(study=study, kind="system"):
        system.name = f"system-{{name}}-all-{{system.ordinal}}"
        system.save()
    for role in ("owner", "researcher"):
        person = User.objects.create(username=f"{{role}}-{{name}}")
        Membership.objects.create(study=study, user=person, role=role)
        tokens[person.username] = new_token(person, "history", "write", None)
    for design, people, each in campaigns:
        _, annotators = make_campaign(study, annotators=people, design=design,
            ratings_per_item=each)
        links = new_links(annotators)
        raters += [[name, str(each.public_id), links[each.pk]] for each in annotators]
Annotator.objects.update(guidelines_read_at=timezone.now())
print(json.dumps([raters, tokens]))
"""


def studies(machine):
    """Fill an empty database with two studies that are rated; return raters and tokens."""
    segments = max(2, round(SECONDS * ITEMS_IN_A_SECOND / SYSTEMS))
    manage(machine.folder, "migrate", "-v0", **machine.variables)
    code = SETUP.format(segments=segments, systems=SYSTEMS)
    said = manage(machine.folder, "shell", "-v0", "-c", code, **machine.variables)
    return json.loads(said.splitlines()[-1])


def make_clients(machine, history, raters, tokens):
    """Return annotators of both studies, their owners, and two who belong to neither or one."""

    def browser(client, study):
        return Browser(machine.port, history, client, study, tokens.get(client, ""))

    known = {public_id: [] for _, public_id, _ in raters}
    return [
        *(Annotator(browser(f"a{number}", study), f"{SEED}", public_id, link, known)
          for number, (study, public_id, link) in enumerate(raters)),
        Onlooker(browser("stranger", ""), f"{SEED}", "alpha", list(known)),
        Onlooker(browser("researcher-beta", "beta"), f"{SEED}", "alpha", list(known)),
        *(Owner(browser(f"owner-{study}", study), f"{SEED}") for study in ("alpha", "beta")),
    ]  # fmt: skip


def live_through(clients, machine, history):
    """Let clients work under faults, and look once more at everything when all is healed."""
    for each in clients:
        each.start()
    try:
        let_fail(machine, history, SEED)
    finally:
        for each in clients:
            each.stopped.set()
        for each in clients:
            each.join()
    for each in clients:
        if not each.failure:
            each.look_at_everything()


def final_state(machine):
    with closing(machine.connect()) as connection:
        stored = read_stored(connection)
        if machine.postgres:
            return stored
        [integrity] = connection.execute("PRAGMA integrity_check").fetchone()
        return replace(stored, integrity=integrity)


@pytest.mark.slow
@pytest.mark.nightly
def test_a_site_under_faults_keeps_every_promise(tmp_path):
    server = os.environ.get("DATABASE_URL", "")
    with Machine(tmp_path, server if server.startswith("postgres") else "") as machine:
        raters, tokens = studies(machine)
        machine.start()
        with History(tmp_path / "history.jsonl", SECONDS) as history:
            clients = make_clients(machine, history, raters, tokens)
            live_through(clients, machine, history)
        machine.stop()
        stored = final_state(machine)
    outcomes = Counter((each.do, each.outcome) for each in history.operations)
    failed = Counter(each["kind"] for each in history.faults if not each["why_not"])
    print(outcomes, failed, f"{tmp_path}/history.jsonl", sep="\n")  # noqa: T201
    assert [each.failure for each in clients if each.failure] == []
    assert check(history.operations, stored, MEMBERS) == []
    assert outcomes["submit", OK] > ENOUGH
    assert failed["server killed"]
