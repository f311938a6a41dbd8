"""The tests of every two metrics or systems: as rows of a table, and as a matrix of differences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from analysis.charts.chart import Chart
from analysis.charts.heat_map import difference_matrix
from analysis.charts.table import Row
from analysis.estimates.comparisons import PairTests
from analysis.filter.question import Question
from analysis.result_values import joined, result_values
from analysis.stats.results import Result
from analysis.stats.systems.rank_ranges import RankRange
from analysis.tables.flat_table import TableRow, result_cells
from analysis.wording import CORRECTIONS, TESTS

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
