"""The tests of every two metrics or systems: in tables of pages and files, and as a matrix."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.charts.chart import Chart
from analysis.charts.heat_map import difference_matrix
from analysis.charts.table import Row
from analysis.estimates.comparisons import LEVEL, PairTests
from analysis.filter.question import Question, number_text
from analysis.reports.summaries import anchor, decimals_of
from analysis.result_values import joined, result_values
from analysis.stats.results import Estimate, Result
from analysis.stats.systems.rank_ranges import RankRange
from analysis.tables.flat_table import TableRow, result_cells
from analysis.wording import CORRECTIONS, TESTS, p_words

PLACES = ("best", "worst", "cluster")
TEST_COLUMNS = ("test", "holm", "benjamini_hochberg")


def place_cells(at: RankRange) -> TableRow:
    """Return where tests put a metric or a system, under `PLACES`."""
    return at.best, at.worst, at.cluster


def rows_of_tests(pair: PairTests) -> Iterator[TableRow]:
    """Yield the cells of one pair under `TEST_COLUMNS` and `RESULT_COLUMNS`, one row a test."""
    for test, result in pair.tests.items():
        adjusted = pair.adjusted[test]
        yield (test, adjusted["holm"], adjusted["benjamini-hochberg"], *result_cells(result))


def difference_chart(
    names: Sequence[str],
    links: Sequence[str],
    pairs: Sequence[PairTests],
    question: Question,
    *,
    title: str,
    statistic: str,
    things: str,
    note: str,
    tests: Mapping[str, str] = TESTS,
) -> Chart:
    """Return the matrix of differences between every two metrics or systems."""
    cells: list[Row] = [
        {
            "first": names[pair.first],
            "second": names[pair.second],
            "value": pair.tests[question.test].value,
            "p_value": pair.p_value,
            "detected": pair.detected,
            "reason": pair.tests[question.test].reason,
            "link": links[pair.first],
            "other_link": links[pair.second],
        }
        for pair in pairs
    ]
    test = tests[question.test] + (" test" if tests is TESTS else "")
    said = f"{statistic}; {test}, {CORRECTIONS[question.correction]} over {len(pairs)} pairs"
    return difference_matrix(
        cells,
        names,
        title=title,
        statistic=statistic,
        things=things,
        subtitle=joined(note, said),
    )


def mean_rows(
    means: Iterable[tuple[str, Result]], panel: str, links: Sequence[str]
) -> Iterator[Row]:
    """Yield the rows of a chart of systems with their means and intervals."""
    for (system, mean), link in zip(means, links, strict=True):
        yield {"system": system, "aspect": panel, "link": link} | result_values(mean, "mean")


def ranked(compared: Iterable[tuple[str, Result, RankRange]]) -> list[dict[str, Any]]:
    """Return what was compared with rank ranges; a line goes where a cluster begins."""
    rows = list(compared)
    decimals = decimals_of(result.value for _, result, _ in rows)
    return [
        {
            "name": name,
            "number": result,
            "decimals": decimals,
            "ranks": _rank_words(at),
            "cluster": at.cluster or "",
        }
        for name, result, at in rows
    ]


def _rank_words(at: RankRange) -> str:
    if at.best is None:
        return "not compared"
    return str(at.best) if at.best == at.worst else f"{at.best}–{at.worst}"


def compared(
    pairs: Sequence[PairTests], names: Sequence[str], question: Question, symbol: str
) -> dict[str, Any]:
    """Return the table of all pairs: the difference, and every test beside the one asked for."""
    tests = list(pairs[0].tests) if pairs else []
    # The test that decides comes first.
    tests.sort(key=lambda test: test != question.test)
    return {
        "symbol": symbol,
        "level": LEVEL,
        "decided_by": TESTS[question.test],
        "correction": CORRECTIONS[question.correction],
        "margin": number_text(question.margin),
        "tests": [TESTS[test] for test in tests],
        "pairs": [_pair(pair, names, tests, question) for pair in pairs],
    }


def _pair(
    pair: PairTests, names: Sequence[str], tests: Sequence[str], question: Question
) -> dict[str, Any]:
    asked = pair.tests[question.test]
    if isinstance(asked, Estimate) and not asked.interval:
        asked = replace(asked, interval=pair.interval)
    adjusted = pair.adjusted[question.test]
    return {
        "anchor": anchor(pair),
        "first": names[pair.first],
        "second": names[pair.second],
        "number": asked,
        "adjusted": [p_words(adjusted[name]) for name in CORRECTIONS],
        "p_values": [p_words(pair.tests[test].p_value) for test in tests],
        "detected": pair.detected,
        "equivalent": pair.equivalent,
    }
