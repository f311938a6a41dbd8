"""Rate as the page of Pearmut does, and store what its log says; see README.md."""

import json
import sys
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

SITE, TOKEN = sys.argv[1:]
HERE = Path(__file__).resolve().parent
CAMPAIGN = "made_up"
SPAN = {"start_i": 0, "end_i": 4, "severity": "minor", "category": None}


def post(path: str, **said: object) -> object:
    """Send JSON, and return what comes back."""
    body = json.dumps({"campaign_id": CAMPAIGN, **said}).encode()
    with urlopen(Request(SITE + path, body, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)


def rate(who: str, number: int, **scores: float) -> None:
    """Rate one document of somebody's."""
    shown = post("/get-i-item", user_id=who, item_i=number)
    said = {
        model: {"score": score, "error_spans": [], "textfield": None}
        for model, score in scores.items()
    }
    said["B"]["error_spans"].append(SPAN)
    payload = {
        "annotation": [said],
        "actions": [{"time": 1.0, "action": "load"}, {"time": 2.0, "action": "submit"}],
        "item": shown["payload"],
    }
    post("/log-response", user_id=who, item_i=number, payload=payload)


rate("anna", 0, A=90, B=40)
rate("bert", 0, A=5, B=5)
post("/reset-campaign", user_id="bert", token=TOKEN)
rate("bert", 0, A=80, B=35)
rate("bert", 1, A=0, B=70.5)
query = urlencode({"campaign_id": CAMPAIGN})
with urlopen(f"{SITE}/download-annotations?{query}") as answer:
    (HERE / "annotations.json").write_bytes(answer.read())
