"""Rate as the page of a running Potato does; see README.md."""

import json
import sys
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

(SITE,) = sys.argv[1:]


def said(fluency: int, verdict: str, adequacy: int, remark: str = "") -> dict[str, str]:
    """Return the answers to one item, by the names that the page gives its fields."""
    found = {
        f"fluency:::{fluency}": str(fluency),
        f"verdict:::{verdict}": verdict,
        "adequacy:::slider": str(adequacy),
    }
    return {**found, "remark:::text_box": remark} if remark else found


ANSWERS = {
    "anna": {"s1-A": said(5, "good", 90, 'Café "☕"'), "s1-B": said(2, "bad", 40)},
    "bert": {"s1-A": said(4, "good", 85), "s2-A": {"fluency:::1": "1"}},
}
for who, items in ANSWERS.items():
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    browser.open(f"{SITE}/auth", urlencode({"email": who, "pass": ""}).encode())
    browser.open(f"{SITE}/annotate")
    for item, answers in items.items():
        body = {"instance_id": item, "annotations": answers, "span_annotations": []}
        headers = {"Content-Type": "application/json"}
        browser.open(Request(f"{SITE}/updateinstance", json.dumps(body).encode(), headers))
