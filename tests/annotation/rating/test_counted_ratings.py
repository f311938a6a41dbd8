"""One query says which ratings count: for reports, monitor, exports, API and notebooks alike."""

import csv
from collections import Counter

import pytest
import touchstone
from django.contrib.auth.models import User

from analysis.data.reading import read_study
from analysis.data.states import state_token
from analysis.findings.holdings import holdings
from annotation.campaigns.history import history_csv
from annotation.campaigns.progress import campaigns_listed, progress
from annotation.imports.export import export_ratings
from annotation.models import Assignment, Item
from annotation.people.of_study import raters_of_study
from annotation.people.withdrawing import withdraw
from annotation.protocols.catalogue import LIVE
from config.accounts.tokens import new_token
from corpus.models import Study
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.annotation.rating.test_rating_blindness import CONTROLS, practice
from tests.fixtures.api_clients import API, client_of, every_row
from tests.fixtures.campaigns import (
    following,
    make_campaign,
    make_study,
    possible_answers,
    read_again,
    send,
)

pytestmark = pytest.mark.django_db(transaction=True)


def answer(annotator, screen, turn=0, **values):
    given = possible_answers(annotator.campaign, len(screen), turn)
    return send(annotator, screen[0], *given, **values)


def answer_all(annotator):
    """Answer every screen, practice and controls too; return the plain ones."""
    plain = []
    while True:
        annotator, screen = following(annotator)
        if not screen:
            return plain
        answer(annotator, screen, len(plain))
        if screen[0].item.kind == Item.Kind.PLAIN:
            plain.append(screen)


def rated(study, protocol):
    """A campaign with every kind of answer that does not count."""
    campaign, [first, late, left] = make_campaign(
        study,
        protocol,
        slug=protocol,
        annotators=3,
        selection={
            "mask": {"lexicon": "words"},
            "controls": CONTROLS[protocol],
            **practice(study, protocol),
        },
    )
    corrected, refused, *_ = answer_all(first)
    answer(read_again(first), corrected, 3, revision=2)
    answer(read_again(first), refused, revision=2, reason="garbled")
    given_back = Assignment.objects.filter(annotator=late, item__kind=Item.Kind.PLAIN, lead=True)
    lead = given_back.order_by("position").last()
    screen = Assignment.objects.filter(annotator=late, position=lead.position)
    screen.update(state=Assignment.State.EXPIRED)
    answer_all(late)
    outcome = answer(read_again(late), screen.select_related("item").order_by("-lead", "pk"))
    assert outcome.surplus
    answer_all(left)
    withdraw(left, "careless", None)
    return campaign


@pytest.fixture
def study():
    study = make_study(6, 3)
    store_lexicon(study, "words", [LexiconEntry("some words")])
    for protocol in LIVE:
        rated(study, protocol)
    return Study.objects.get(pk=study.pk)


def ratings(rows):
    """Ratings as everybody can compare them; choices only by that there is one."""
    return Counter(
        (each["campaign"], each["rater"], each["segment"], each["aspect"], each["score"])
        for each in rows
    )


def written(study):
    """What counts by the columns of the tables of all answers: ratings, and answers of each."""
    rows, answers = [], {}
    for campaign in study.campaigns.all():
        for row in csv.DictReader("".join(history_csv(campaign)).splitlines()):
            flags = (row["kind"], row["latest"], row["surplus"], row["withdrawn"])
            if flags == ("plain", "yes", "no", "no"):
                answers.setdefault(campaign.slug, set()).add(row["submission"])
                if row["aspect"]:
                    score = float(row["value"]) if row["value"] else None
                    rater = row["annotator"]
                    rows.append(row | {"campaign": campaign.slug, "score": score, "rater": rater})
    return rows, answers


def exported(study):
    """The latest revision of each rating in a study archive."""
    [table] = export_ratings(study)
    latest = {}
    for values in table.rows:
        row = dict(zip(table.columns, values, strict=True))
        key = tuple(
            row[name] for name in ("campaign", "segment", "system", "against", "rater", "aspect")
        )
        if key not in latest or row["revision"] > latest[key]["revision"]:
            latest[key] = row | {"score": None if row["score"] == "" else row["score"]}
    return list(latest.values())


def test_every_reader_has_the_same_ratings_of_every_protocol(study, live_server):
    rows, answers = written(study)
    expected = ratings(rows)
    assert {row["campaign"] for row in rows} == set(LIVE)
    ria = client_of("ria", study, "researcher")
    assert ratings(every_row(ria, f"{API}studies/small/ratings/")) == expected
    token = new_token(User.objects.get(username="ria"), "notebook", "read", None)
    assert ratings(touchstone.connect(live_server.url, token).study("small").ratings()) == expected
    assert ratings(exported(study)) == expected
    judged = read_study(study, withdrawn=False).judgements
    raters = Counter(
        (judged.campaigns[campaign].slug, judged.annotators[annotator].pseudonym)
        for campaign, annotator in zip(judged.campaign, judged.annotator, strict=True)
    )
    by_rater = Counter((row["campaign"], row["rater"]) for row in rows)
    assert raters == by_rater
    of_campaign = Counter(row["campaign"] for row in rows)
    people, held = raters_of_study(study), holdings(study, state_token(study))
    assert sum(person.ratings for person in people) == len(rows)
    for listed in campaigns_listed(study):
        slug = listed.campaign.slug
        assert progress(listed.campaign).done == listed.done == len(answers[slug])
        assert sum(held.rated[listed.campaign.pk].values()) == of_campaign[slug]
