"""D2: mappings that are deep, endless or ask for too much, saved as files or typed on the page."""

import json
import time
from collections.abc import Iterator
from typing import Any

from attack.finding import Line
from attack.hostile_files import IMPORT
from attack.patience import in_time
from attack.people import BOUNDARY, Person, Reply, manage, signed_in
from attack.raw_errors import raw
from attack.site import Site, running_site

MOST_SECONDS, MOST_CHARACTERS = 15, 500_000
PLAIN: dict[str, Any] = {
    "table": "segments",
    "columns": {"segment": "segment", "source": "source"},
}
NAME = "segments.csv"
OTHER = """
from django.contrib.auth.models import User
from corpus.imports.service import create_study
create_study("other", User.objects.create_user("eve"))
"""


def replay() -> Iterator[Line]:
    """Send each as a saved mapping; then reach for the choices of another study."""
    with running_site() as site:
        ada = signed_in(site, "ada", "owner")
        address = ada.upload(IMPORT, NAME, f"segment,{'source,' + 'a' * 900}\ns1,x,y\n".encode())
        began = time.monotonic()
        _used(ada, address.address, _of(PLAIN))
        harmless = time.monotonic() - began
        for what, mapping in mappings().items():
            yield _line(site, ada, address.address, what, mapping, harmless)
        yield _of_others(site, address.address)


def mappings() -> dict[str, bytes]:
    """Return each file, by what it is."""
    deep = '[{"table": "segments", "constants": {"source": %s}}]' % ("[" * 900 + "]" * 900)
    fields = "a".join(f"{{f{number}}}" for number in range(2000))
    return {
        "four million brackets": b"[" * 3_900_000,
        "a constant 900 levels deep": f'{{"{NAME}": {deep}}}'.encode(),
        "100,000 keys that are none": _of(PLAIN | {f"k{n}": 1 for n in range(100_000)}),
        "30,000 tables of one file": _of(*[PLAIN] * 30_000),
        "200,000 files that are not there": json.dumps(
            {f"{n}.csv": [] for n in range(200_000)}
        ).encode(),
        "a pattern of 2,000 fields": _of(
            PLAIN | {"wide": {"value": "reference", "pattern": fields}}
        ),
        "a number of 5,000 digits": b'{"%b": [%b]}' % (NAME.encode(), b"9" * 5000),
        "50,000 conditions": _of(PLAIN | {"where": [{"column": "source", "is": ["x"]}] * 50_000}),
    }


def _of(*tables: dict[str, Any]) -> bytes:
    return json.dumps({NAME: tables}).encode()


def _used(owner: Person, address: str, mapping: bytes) -> Reply:
    """Send a mapping as a file of the page's form."""
    kinds = {b'name="use"': b"1", b'name="mapping"; filename="mapping.json"': mapping}
    parts = [
        b"--%b\r\nContent-Disposition: form-data; %b\r\n\r\n%b\r\n" % (BOUNDARY, kind, value)
        for kind, value in kinds.items()
    ]
    body = b"".join([*parts, b"--%b--\r\n" % BOUNDARY])
    return owner.send(address, body, f"multipart/form-data; boundary={BOUNDARY.decode()}")


def _line(
    site: Site, owner: Person, address: str, what: str, mapping: bytes, harmless: float
) -> Line:
    began = time.monotonic()
    replies = [_used(owner, address, mapping), owner.get(address)]
    seconds = time.monotonic() - began
    statuses = [reply.status for reply in replies]
    found = sum(raw(site, reply.text) for reply in replies)
    longest = max(len(reply.text) for reply in replies)
    figure = f"{statuses}, {seconds:.1f} s, {longest:,} characters, {found} raw errors"
    held = max(statuses) < 500 and not found and longest < MOST_CHARACTERS
    return Line("D2", what, figure, held, in_time(seconds, MOST_SECONDS, harmless))


def _of_others(site: Site, address: str) -> Line:
    """Ask for an upload, and for the choices kept for it, as an owner of another study only."""
    manage(site, OTHER)
    eve = signed_in(site, "eve", "owner", study="other")
    mine = address.replace("/load/", "/other/")
    asked = [eve.get(address).status, eve.post(address, {"take": ["ada"]}).status]
    page = eve.post(mine, {"take": ["ada"]})
    shown = page.text.count("ada")
    figure = f"{asked} in the other's study, {shown} words of the other in one's own"
    return Line(
        "D2", "choices of another person's import", figure, set(asked) == {404} and not shown
    )
