"""Rate through the API of a running Label Studio, and store its exports; see README.md."""

import json
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

SITE, TOKEN = sys.argv[1:]
HERE = Path(__file__).resolve().parent
CONFIG = """<View>
  <Text name="src" value="$source"/><Text name="out" value="$output"/>
  <Rating name="fluency" toName="out" maxRating="5"/>
  <Number name="adequacy" toName="out" min="0" max="100"/>
  <Choices name="verdict" toName="out"><Choice value="good"/><Choice value="bad"/></Choices>
  <TextArea name="remark" toName="out"/>
  <Labels name="error" toName="out"><Label value="minor"/></Labels>
</View>"""
TASKS = [
    {"segment_id": "s1", "source": "Guten Tag.", "system": "A", "output": "Good day."},
    {"segment_id": "s1", "source": "Guten Tag.", "system": "B", "output": "Hello,\nyou."},
    {"segment_id": "s2", "source": "Ja.", "system": "A", "output": 'Café "☕"'},
]
PAIR_CONFIG = """<View>
  <Text name="src" value="$source"/>
  <Text name="a" value="$output_A"/><Text name="b" value="$output_B"/>
  <Pairwise name="better" toName="a,b"/>
</View>"""
PAIRS = [
    {"segment_id": "s1", "source": "Guten Tag.", "output_A": "Good day.", "output_B": "Hello."}
]


def ask(path: str, said: Any = None) -> bytes:
    """Send JSON, if any; return what comes back."""
    headers = {"Authorization": f"Token {TOKEN}", "Content-Type": "application/json"}
    body = None if said is None else json.dumps(said).encode()
    with urlopen(Request(SITE + path, body, headers), timeout=60) as answer:
        return answer.read()


def result(name: str, kind: str, value: Any, to: str = "out") -> dict[str, Any]:
    """Return one answer as the page sends it."""
    return {"from_name": name, "to_name": to, "type": kind, "value": value}


def project(title: str, config: str, tasks: list[dict[str, str]]) -> tuple[int, list[int]]:
    """Make a project; return its number and those of its tasks."""
    number = json.loads(ask("/api/projects/", {"title": title, "label_config": config}))["id"]
    ask(f"/api/projects/{number}/import", tasks)
    found = json.loads(ask(f"/api/projects/{number}/tasks/"))
    return number, sorted(task["id"] for task in found)


def store(number: int, kind: str, name: str) -> None:
    """Store an export."""
    path = f"/api/projects/{number}/export?exportType={kind}&download_all_tasks=true"
    (HERE / name).write_bytes(ask(path))


who = {"username": "bert", "email": "bert@example.org", "password": "madeup-12345"}
bert = json.loads(ask("/api/users/", who))["id"]
rated, (one, two, _) = project("Made-up ratings", CONFIG, TASKS)
ask(
    f"/api/tasks/{one}/annotations/",
    {
        "result": [
            result("fluency", "rating", {"rating": 5}),
            result("adequacy", "number", {"number": 90}),
            result("verdict", "choices", {"choices": ["good"]}),
            result("remark", "textarea", {"text": ["Fine."]}),
            result("error", "labels", {"start": 0, "end": 4, "text": "Good", "labels": ["minor"]}),
        ]
    },
)
ask(
    f"/api/tasks/{one}/annotations/",
    {"result": [result("fluency", "rating", {"rating": 4})], "completed_by": bert},
)
ask(f"/api/tasks/{two}/annotations/", {"result": [result("fluency", "rating", {"rating": 2})]})
ask(f"/api/tasks/{two}/annotations/", {"result": [], "was_cancelled": True})
store(rated, "JSON", "ratings.json")
store(rated, "JSON_MIN", "ratings_min.json")
judged, (pair,) = project("Made-up pairs", PAIR_CONFIG, PAIRS)
ask(
    f"/api/tasks/{pair}/annotations/",
    {"result": [result("better", "pairwise", {"selected": "left"}, "a,b")]},
)
store(judged, "JSON", "pairs.json")
