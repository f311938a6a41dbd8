"""A large import beside people who rate, on SQLite, where one writes at a time."""

import subprocess
import sys
import time

import pytest

from tests.fixtures.machine import ROOT
from tests.fixtures.served_sites import Rater, end, environment, free_port, kill, prepare, serve
from tests.fixtures.study_files import write_files

RATERS, SEGMENTS, SYSTEMS = 6, 2000, 4
ASPECTS = ("style", "content", "fluency")
MOST_SECONDS = 20
"""More would end a request."""


class TimedRater(Rater):
    """Remembers the longest time that an answer took."""

    longest = 0.0

    def ask(self, method, path, data=None):
        began = time.monotonic()
        try:
            return super().ask(method, path, data)
        finally:
            self.longest = max(self.longest, time.monotonic() - began)


def large_study():
    systems = [f"m{number}" for number in range(SYSTEMS)]
    segments = [f"s{number}" for number in range(SEGMENTS)]
    return {
        "segments.csv": [["segment", "source"], *([each, f"text of {each}"] for each in segments)],
        "outputs.csv": [
            ["segment", "system", "output"],
            *([each, system, f"{system} of {each}"] for each in segments for system in systems),
        ],
        "ratings.csv": [
            ["segment", "system", "rater", "aspect", "score"],
            *([each, system, "ann", aspect, 50] for each in segments for system in systems
              for aspect in ASPECTS),
        ],
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.sqlite
def test_nobody_waits_long_for_an_import_and_all_of_its_ratings_are_there(tmp_path):
    people = prepare(tmp_path, 1500, RATERS, 6)
    port, folder = free_port(), write_files(tmp_path / "large", large_study())
    server = serve(tmp_path, port)
    raters = [TimedRater(port, *person) for person in people]
    try:
        for each in raters:
            each.start()
        command = [sys.executable, "manage.py", "import_study", str(folder)]
        done = subprocess.run(
            command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, check=True
        )
    finally:
        end(raters)
        kill(server)
    assert f"ratings: {SEGMENTS * SYSTEMS * len(ASPECTS)} added" in done.stdout
    assert [each for rater in raters for each in rater.refused] == []
    assert min(len(each.acknowledged) for each in raters) > 1
    assert max(each.longest for each in raters) < MOST_SECONDS
