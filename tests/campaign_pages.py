"""Owners at the pages of campaigns, for tests."""

from django.contrib.auth.models import User
from django.test import Client

from corpus.models import Membership, Study
from tests.html_forms import fields_of


def signed_in(name: str, study: Study | None = None, role: str = "owner") -> Client:
    """A browser of somebody who may be a member of a study."""
    person, _ = User.objects.get_or_create(username=name)
    if study is not None:
        Membership.objects.get_or_create(study=study, user=person, defaults={"role": role})
    client = Client()
    client.force_login(person)
    return client


def prepared(
    client: Client,
    study: Study,
    follows: str = "protocol:direct_assessment",
    *,
    practice: bool = False,
) -> str:
    """Make a campaign "pilot" by the page; return the address of its form.

    The practice items that its protocol brings are taken out, unless they are asked for.
    """
    answer = client.post(
        f"/studies/{study.slug}/campaigns/new/",
        {"title": "Pilot", "slug": "", "follows": follows},
    )
    assert answer.status_code == 302, answer.context["form"].errors
    if not practice:
        for campaign in study.campaigns.filter(state="draft"):
            campaign.selection.pop("practice", None)
            campaign.save(update_fields=["selection"])
    location: str = answer["Location"]
    return location


def filled(client: Client, address: str, **changes: object) -> dict[str, object]:
    """The form of a campaign as a browser would send it, with some fields changed.

    A field changed to None is not sent, as a box that is not ticked.
    """
    fields = dict(fields_of(client.get(address).content.decode(), "ratings_per_item"))
    given: dict[str, object] = {
        **fields,
        **{name.replace("__", "-"): v for name, v in changes.items()},
    }
    return {name: value for name, value in given.items() if value is not None}
