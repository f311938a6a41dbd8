"""R12: two owners who edit one campaign, each from a form that they opened before."""

from collections.abc import Iterator

from attack.finding import Line
from attack.people import manage, signed_in
from attack.site import running_site

NEW = "/studies/load/campaigns/new/"
EDIT = "/studies/load/campaigns/pilot/edit/"
LAST = """
from corpus.models import AuditEntry
print(sorted(AuditEntry.objects.filter(action="change campaign").first().after))
"""


def replay() -> Iterator[Line]:
    """Let both save, and look for what the first one wrote."""
    with running_site() as site:
        ada, bob = (signed_in(site, name, "owner") for name in ("ada", "bob"))
        kind = {"title": ["Pilot"], "slug": ["pilot"], "follows": ["protocol:direct_assessment"]}
        ada.post(NEW, ada.form(NEW, "title") | kind)
        of_ada, of_bob = ada.form(EDIT, "guidelines"), bob.form(EDIT, "guidelines")
        first = ada.post(EDIT, of_ada | {"guidelines": ["Ada’s words."]})
        second = bob.post(EDIT, of_bob | {"title": ["Bob’s pilot"]})
        stored = ada.form(EDIT, "guidelines")["guidelines"]
        yield Line(
            "R12",
            "second of two owners saves a form that was opened before",
            f"first {first.status}, second {second.status}, stored guidelines {stored}",
            first.status == 200 and second.status == 409 and stored == ["Ada’s words."],
        )
        facts = manage(site, LAST)
        yield Line("R12", "audit trail of the change", facts, "guidelines" in facts)
