"""A private study with something behind every address, made on the machine of the site."""

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any


def make(folder: str) -> None:
    """Print the addresses, whether they are of the study, and a session of each role."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import reverse

    from corpus.models import Membership, Study
    from tests.fixtures.secret_study import ANNOTATORS, SECRET, STUDY, routes, secret_study

    study = secret_study(Path(folder))
    sessions = {}
    for role in ("stranger", "researcher", "owner", "administrator"):
        person = User.objects.create_user(role, is_superuser=role == "administrator")
        where = Study.objects.get(slug="load") if role == "stranger" else study
        if role != "administrator":
            is_of = "researcher" if role == "researcher" else "owner"
            Membership.objects.create(study=where, user=person, role=is_of)
        client = Client()
        client.force_login(person)
        sessions[role] = client.cookies["sessionid"].value
    places = _places(study)
    addresses = [
        (reverse(name, kwargs=_values(name, pattern, places)),
         bool(STUDY.search(pattern) or ANNOTATORS.match(name)))
        for name, pattern in sorted(set(routes())) if name != "logout"
    ]  # fmt: skip
    print(json.dumps({"addresses": addresses, "sessions": sessions, "secret": SECRET}))


def _values(name: str, pattern: str, places: dict[str, Any]) -> dict[str, Any]:
    """Fill a pattern in with what there is of the kind that a route's name begins with."""
    from tests.fixtures.secret_study import SAMPLES

    kinds = [kind for kind in places if name.removeprefix("api-").startswith(kind)]
    row = places[max(kinds, key=len)] if kinds else 1
    values: dict[str, Any] = (
        SAMPLES | places["named"] | {"slug": "small", "pk": row, "kind": "agreement"}
    )
    if name.startswith("shared"):
        values["token"] = places["shared-token"]
    found = re.findall(r"<\w+:(\w+)>", pattern)
    return {parameter: values.get(parameter, "1") for parameter in found}


def _places(study: Any) -> dict[str, Any]:
    """Make what a study can hold and return the primary keys by the names of routes."""
    from django.contrib.auth.models import User
    from django.utils import timezone

    from analysis.filter.question import Question
    from analysis.frozen.service import freeze, share, stop_sharing
    from annotation.models import CampaignSet, Contact, Participant
    from corpus.jobs.queue import ask_for_job
    from corpus.lexicons import LexiconEntry, store_lexicon
    from corpus.models import Invitation, Job, StyleLexicon
    from tests.fixtures.campaigns import make_campaign
    from tests.fixtures.secret_study import SECRET

    owner = User.objects.get(username="owner")
    campaign, [annotator, _] = make_campaign(study, title=SECRET, guidelines=SECRET, consent=SECRET)
    Contact.objects.create(annotator=annotator, name=SECRET)
    together = CampaignSet.objects.create(study=study, slug="set", title=SECRET)
    participant = Participant.objects.create(set=together, pseudonym=SECRET, number=0)
    until = timezone.now() + dt.timedelta(days=1)
    invitation = Invitation.objects.create(study=study, role="owner", note=SECRET, expires_at=until)
    store_lexicon(study, SECRET, [LexiconEntry("gonna", "informal", -2.0)])
    frozen = freeze(study, "agreement", Question(aspect="content"), owner, SECRET)
    share(frozen, owner)
    token = frozen.token
    stop_sharing(frozen, owner)
    export = ask_for_job("export", "export", study=study, user=owner, parameters={})
    return {
        "job": Job.objects.filter(study=study).earliest("pk").pk,
        "report-again": export.pk, "export": export.pk,
        "campaign": annotator.pk, "campaign-set": participant.pk,
        "study-member": study.memberships.get(user__username="researcher").pk,
        "study-invitation": invitation.pk, "study-frozen": frozen.pk,
        "study-lexicon": StyleLexicon.objects.get().pk,
        "study-run": study.runs.earliest("pk").pk,
        "shared-token": token,
        "named": {
            "campaign": campaign.slug, "campaign_set": "set", "file": "report.json",
            "annotator_id": annotator.public_id,
            "public_id": annotator.assignments.earliest("pk").public_id,
        },
    }  # fmt: skip
