"""`make bench`: benchmarks print figures, which are compared with what is wanted."""

from importlib.util import find_spec

import pytest

from benchmarks import __main__ as bench
from benchmarks.__main__ import judged, run
from benchmarks.figures import read_figures, show_figure
from benchmarks.goals import BENCHMARKS, Benchmark, Goal
from tests.fixtures.nonempty import at_least_one


def test_figures_are_read_as_they_were_printed(capsys: pytest.CaptureFixture[str]) -> None:
    show_figure("reading.study", 1.5, "s")
    show_figure("load.shared_queue", 1234.5, "submissions/s")
    assert read_figures("takes 1.5 s\n" + capsys.readouterr().out) == {
        "reading.study": (1.5, "s"),
        "load.shared_queue": (1234, "submissions/s"),
    }


def test_what_is_short_of_a_goal_is_marked() -> None:
    goals = (
        Goal("fast", 2, "s"),
        Goal("slow", 2, "s"),
        Goal("many", 650, "submissions/s", at_least=True),
        Goal("few", 650, "submissions/s", at_least=True),
        Goal("unknown", 1, "MB"),
    )
    measured = {"fast": (2.0, "s"), "slow": (2.1, "s"), "many": (650.0, "/s"), "few": (649.0, "/s")}
    verdicts = [line.split()[-1] for line in judged([Benchmark("some", goals=goals)], measured)]
    assert verdicts == ["s", "SHORT", "submissions/s", "SHORT", "measured"]


def test_a_benchmark_that_fails_stops_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    printed, ended = run(Benchmark("second_start"), "--starts none")
    assert (printed, ended) == ("", False)
    assert "invalid int value: 'none'" in capfd.readouterr().err


def test_without_postgresql_its_benchmarks_are_left_out_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    goal = Goal("rating_load.postgresql", 400, "submissions/s", at_least=True)
    monkeypatch.setattr(
        bench, "BENCHMARKS", [Benchmark("rating_load", goals=(goal,), postgresql=True)]
    )
    monkeypatch.setattr("sys.argv", ["benchmarks"])
    monkeypatch.delenv("TEST_POSTGRES_URL", raising=False)
    bench.main()
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "left out, as no PostgreSQL server is known: rating_load"
    assert [line.split()[-1] for line in printed if line.startswith(goal.figure)] == ["measured"]


def test_no_load_is_measured_that_could_come_to_the_end_of_its_campaign(
    capfd: pytest.CaptureFixture[str],
) -> None:
    printed, ended = run(Benchmark("rating_load"), "--items 1000 100000 --seconds 60")
    assert not ended
    assert "submissions/s" not in printed
    assert "a run may need 63,000 assignments, there are 20,000" in capfd.readouterr().err


def test_every_benchmark_exists_and_every_figure_has_its_name() -> None:
    for each in at_least_one(BENCHMARKS):
        assert find_spec(f"benchmarks.{each.module}")
        assert {goal.figure.partition(".")[0] for goal in each.goals} <= {each.module}
