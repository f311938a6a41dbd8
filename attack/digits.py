"""R16: numbers of a question on their way to a job or a frozen report."""

import random
from collections.abc import Iterator

from analysis.filter.question import Question
from attack.finding import Line

NUMBERS = 10_000


def replay() -> Iterator[Line]:
    """Send random numbers through the text in which a question travels."""
    drawn = random.Random(1)
    changed = 0
    for _ in range(NUMBERS):
        size = 10.0 ** drawn.randint(-12, 12)
        asked = Question(
            min_gap=drawn.random() * size,
            margin=drawn.random() * size,
            half_width=drawn.random() * size,
            power=drawn.uniform(0.06, 0.99),
            first=drawn.uniform(-0.99, 0.99),
        )
        changed += Question.parse(asked.to_query()) != asked
    yield Line("R16", "numbers of questions", f"{changed} of {NUMBERS:,} changed", not changed)
