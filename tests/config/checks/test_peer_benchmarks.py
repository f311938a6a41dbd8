"""The comparison with other tools: their exports are read, and the page says what was measured.

Other tools are not installed here; each export below is shortened from one that the tool wrote.
"""

import io
import json
import zipfile

import pytest

from benchmarks.peers.doccano import Doccano
from benchmarks.peers.label_studio import LabelStudio
from benchmarks.peers.load import lost, over_rated, rate
from benchmarks.peers.measured import MEASURED, PAGE, read
from benchmarks.peers.page import page_of
from benchmarks.peers.pearmut import Pearmut
from benchmarks.peers.potato import Potato
from benchmarks.peers.table import number
from benchmarks.peers.tool import Rating, Text, item_in
from benchmarks.peers.touchstone import Touchstone
from benchmarks.soak import PER, slope

TOUCHSTONE = """\
submission,annotator,segment,system,revision,latest,aspect,value
a777623a,annotator 1,0,system-0,1,yes,style,50.0
a777623a,annotator 1,0,system-0,1,yes,content,50.0
2c8eea08,annotator 2,1,system-3,1,no,style,50.0
2c8eea08,annotator 2,1,system-3,2,yes,style,60.0
"""
PEARMUT = {
    "campaign-2": [
        {
            "annotation": [{"system": {"score": None, "sliders": {"style": 50}}}],
            "item": [{"src": "A source.", "tgt": {"system": "An output."}, "item_id": "2"}],
            **{"user_id": "rater0", "item_i": 1},
        }
    ]
}
POTATO = {
    "user_id": "rater0",
    "instance_id_to_label_to_value": {
        "item-1": [[{"schema": "style", "name": "slider"}, "50"]],
        "item-2": [],
    },
}
LABEL_STUDIO = [
    {
        "id": 1,
        "annotations": [{"id": 1, "completed_by": 3, "result": [{"value": {"number": 50}}]}],
        "data": {"source": "Source 7", "output": "Output 7 [item 7]"},
    },
    {"id": 2, "annotations": [], "data": {"source": "Source 8", "output": "Output 8 [item 8]"}},
]
DOCCANO = """\
{"id":1,"text":"Source 0\\nOutput 0 [item 0]","label":[],"Comments":[]}
{"id":3,"text":"Source 2\\nOutput 2 [item 2]","label":["1"],"Comments":[]}
"""


def packed(name: str, text: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, text)
    return file.getvalue()


@pytest.mark.parametrize(
    ("tool", "export", "ratings"),
    [
        (Touchstone, TOUCHSTONE.encode(), [("annotator 1", 0), ("annotator 2", 13)]),
        (Pearmut, json.dumps(PEARMUT).encode(), [("rater0", 2)]),
        (Potato, packed("rater0/user_state.json", json.dumps(POTATO)), [("rater0", 1)]),
        (LabelStudio, json.dumps(LABEL_STUDIO).encode(), [("3", 7)]),
        (Doccano, packed("rater1.jsonl", DOCCANO), [("rater1", 2)]),
    ],
)
def test_the_export_of_each_tool_tells_who_rated_what(tool, export, ratings) -> None:
    assert tool.ratings_in(export) == ratings


def test_over_rated_items_and_lost_ratings_are_counted() -> None:
    stored = [Rating("a", 1), Rating("b", 1), Rating("a", 2)]
    assert over_rated(stored) == 1
    assert lost([Rating("a", 1), Rating("b", 2)], stored) == 1
    assert item_in(f"<p>{Text(12).source} {Text(12).output}</p>") == 12
    assert item_in("<p>You have rated everything.</p>") == -1


class Somebody:
    """A rater with some items; what is instead of one is raised."""

    def __init__(self, name: str, *items: int | Exception) -> None:
        self.name, self.items, self.item = name, iter(items), -1

    def enter(self) -> bool:
        return self.rate()

    def rate(self) -> bool:
        item = next(self.items, -1)
        if isinstance(item, Exception):
            raise item
        self.item = item
        return item >= 0


def test_a_rater_who_meets_what_nobody_expects_stops_no_other() -> None:
    load = rate(
        [Somebody("a", 1, IndexError("list"), 2), Somebody("b", 3), Somebody("c", OSError())], 60
    )
    assert sorted(load.acknowledged) == [Rating("a", 2), Rating("b", 3)]
    assert sorted(load.errors) == ["IndexError: list", "OSError: "]


def test_nothing_counts_as_an_error_once_the_server_was_killed() -> None:
    load = rate(
        [Somebody("a", *range(1000), OSError())], 60, meanwhile=lambda load: load.stopped.set()
    )
    assert not load.errors


def record(tool: str, database: str, figures: dict[str, list[float]], **reasons: str):
    return {"tool": tool, "database": database, "figures": figures, "reasons": reasons}


MEASURED_ONCE = {
    "peers": {
        "about": {
            **{"date": "2026-11-24", "processor": "Some", "cores": 2, "memory": 24, "load": 0.1},
            **{"system": "Linux", "python": "3.11.7", "minutes": 3, "rounds": 3},
        },
        "sizes": {"imported": [1000], "rated": [1000], "clients": [1, 20], "seconds": 5},
        "tools": {"Other": {"version": "1.0", "driven": "`other run`.", "repaired": ""}},
        "records": [
            record(
                "Touchstone",
                "SQLite",
                {"rate.1000.20": [700.0, 720.0, 740.0], "memory.started": [100.0], "lost": [0]},
            ),
            record(
                "Other",
                "files",
                {
                    **{"rate.1000.20": [72.0], "memory.started": [50.0], "lost": [3, 2]},
                    "killed.dead": [0, 1, 0],
                },
                **{
                    "rate.1000.1": "Refused: POST /rate answered 500",
                    "start.after_kill": "did not start again: JSONDecodeError",
                },
            ),
            record("Other", "PostgreSQL", {}, all="stores ratings in files only"),
        ],
    },
    "soak": {
        "about": {"date": "2026-11-24", "cores": 2, "load": 0.1, "version": "commit 1234"},
        "database": "SQLite",
        **{"sessions": 10_000, "submissions": 200_000, "errors": 0, "error": "", "seconds": 300.0},
        **{"p50": 20.0, "p95": 41.0},
        "memory": {"first": 110.0, "last": 160.0, "slope": [-0.5, -1.5, 0.5]},
        "stored": {"first": 2.0, "last": 66.0, "slope": [32.0, 31.9, 32.1]},
    },
}


def test_the_page_shows_medians_ratios_reasons_and_what_is_better_elsewhere() -> None:
    lines = page_of(MEASURED_ONCE).splitlines()
    one, twenty = lines.index("### 1 client"), lines.index("### 20 clients")
    assert "| Touchstone, SQLite | 720 |" in lines[twenty:]
    assert "| Other, files | 72 (0.10\u00a0×) |" in lines[twenty:]
    assert "- Other with PostgreSQL: stores ratings in files only." in lines[:one]
    assert not [line for line in lines if line.startswith("| Other, PostgreSQL")]
    assert (
        "- Other, files: Refused: POST /rate answered 500 (*ratings/s, p50, ms, p95, ms, MB*)."
    ) in lines[one:twenty]
    better = lines[lines.index("## Where another tool is better") :]
    assert better[2] == "- memory after the start, MB: Other, files 50 (Touchstone 100)."
    assert not better[3]
    assert "| memory of all processes | 110 | 160 | −0.50 (−1.50 to 0.50) |" in lines


def test_what_was_measured_of_no_tool_is_a_sentence_not_a_table_of_dashes() -> None:
    tried = MEASURED_ONCE["peers"]
    records = [each | {"reasons": {"large projects": "no time"}} for each in tried["records"][:2]]
    sizes = tried["sizes"] | {"imported": [1000, 100_000], "rated": [1000, 100_000]}
    page = page_of({"peers": tried | {"sizes": sizes, "records": records}})
    assert "## Rating at 100,000 items\n\nNothing was measured: no time.\n" in page
    assert "### Export at 100,000 items" not in page


def test_large_projects_that_were_measured_alone_are_a_part_of_their_own() -> None:
    tried = MEASURED_ONCE["peers"]
    sizes = {"imported": [100_000], "rated": [100_000], "clients": [20], "seconds": 3}
    rates = ((480.0, "Touchstone", "SQLite"), (24.0, "Other", "files"))
    records = [
        record(tool, database, {"rate.100000.20": [rate], "import.100000": [9.0 - rate / 100]})
        for rate, tool, database in rates
    ]
    both = tried["sizes"] | {"imported": [1000, 100_000], "rated": [1000, 100_000]}
    large = {**tried, "about": tried["about"] | {"load": 3.5}, "sizes": sizes, "records": records}
    page = page_of({"peers": tried | {"sizes": both}, "large": large})
    before, _, alone = page.partition("\n## Large projects\n")
    assert "100,000" not in before
    assert "load before it began 3.5" in alone
    assert "- Nowhere in what was measured." in alone
    assert "| Other, files | 8.76 (2.09\u00a0×) |" in alone
    assert "| Other, files | 24 (0.05\u00a0×) |" in alone


def test_the_page_of_the_help_is_written_of_what_was_measured() -> None:
    assert PAGE.read_text(encoding="utf-8") == page_of(read(MEASURED)), (
        "run python -m benchmarks.peers, which writes both"
    )


def test_what_kills_left_is_added_up_and_a_tool_that_stays_dead_is_named() -> None:
    lines = page_of(MEASURED_ONCE).splitlines()
    assert "| Other, files | 1 of 3 | – | 5 |" in lines
    assert "- Other, files: did not start again: JSONDecodeError." in lines


def test_numbers_have_three_digits() -> None:
    assert [number(value) for value in (1234.5, 72.04, 0.104, 3.0)] == [
        "1,234",
        "72.0",
        "0.10",
        "3",
    ]


def test_the_slope_is_that_of_the_second_half() -> None:
    at = [1000.0 * n for n in range(201)]
    grown = [50 + min(count, 100_000) / 1000 + 0.00002 * count for count in at]
    value, low, high = slope(at, grown)
    assert value == pytest.approx(0.00002 * PER)
    assert low <= value <= high
