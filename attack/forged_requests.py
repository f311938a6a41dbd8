"""H5: requests that another site, a false host or a path that leads out would send."""

from collections.abc import Iterator
from urllib.parse import quote

from attack.browser import Browser
from attack.finding import Line
from attack.people import manage
from attack.site import running_site

MADE = """
from django.contrib.auth.models import User
from django.test import Client
client = Client()
client.force_login(User.objects.create_superuser("ada", password="known-to-ada-only"))
print(client.cookies["sessionid"].value)
"""
FORMS = (
    *("/sign-in/", "/sign-out/", "/account/session/end/", "/account/sessions/end/"),
    *("/account/token/", "/jobs/cancel/", "/studies/new/", "/studies/load/members/"),
    *("/studies/load/campaigns/load/state/", "/admin/corpus/membership/add/"),
)
ELSEWHERE = (
    *("//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example"),
    *("javascript:alert(1)", "http:///evil.example", "\thttps://evil.example"),
)
HOSTS = ("evil.example", "evil.example:80", "localhost.evil.example", "localhost@evil.example")
OUT = (
    *("/static/../secret_key", "/static/%2e%2e/secret_key", "/static/..%2fsecret_key"),
    *("/help/../../secret_key", "/help/%2e%2e%2fsecret_key", "/static//etc/passwd"),
)


def replay() -> Iterator[Line]:
    """Send each, signed in where that could do more."""
    with running_site() as site:
        key = manage(site, MADE).splitlines()[-1]
        signed_in = Browser(site.port, {"sessionid": key})
        answers = [signed_in.ask("POST", path) for path in FORMS]
        taken = [path for path, (status, _) in zip(FORMS, answers, strict=True) if status < 400]
        missing = [p for p, (status, _) in zip(FORMS, answers, strict=True) if status == 404]
        still = signed_in.ask("GET", "/account/")[0]
        figure = f"{len(taken)} of {len(FORMS)} taken {taken or ''}, signed in afterwards: {still}"
        held = not taken and not missing and still == 200
        yield Line("H5", "forms without a token", f"{figure} {missing or ''}".strip(), held)

        led = []
        for place in ELSEWHERE:
            visitor = Browser(site.port)
            address = f"/sign-in/?next={quote(place)}"
            visitor.ask("GET", address)
            form = {"username": "ada", "password": "known-to-ada-only", "next": place}
            status, _ = visitor.ask("POST", address, form)
            to = visitor.answered.get("Location", "")
            led += [to] if status != 302 or "evil" in to or ":" in to else []
        figure = f"{len(led)} of {len(ELSEWHERE)} led away or refused {led or ''}".strip()
        yield Line("H5", "signing in, to go on elsewhere", figure, not led)

        statuses = [Browser(site.port).ask("GET", "/sign-in/", Host=host)[0] for host in HOSTS]
        yield Line("H5", "other host names", str(statuses), set(statuses) == {400})

        secret = (site.folder / "secret_key").read_text().strip()
        answers = [signed_in.ask("GET", path) for path in OUT]
        shown = sum(secret in text or "root:" in text for _, text in answers)
        figure = f"{shown} of {len(OUT)} show a file, {sorted({s for s, _ in answers})}"
        yield Line("H5", "paths that lead out", figure, not shown)
