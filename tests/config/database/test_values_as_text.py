"""Values have one text on every database, for checksums of rows."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest

from config.database.rows import as_text


@pytest.mark.parametrize(
    ("on_one", "on_another"),
    [
        (1e22, 10**22),
        (1e23, 10**23),
        (100.0, 100),
        (-0.0, 0.0),
        (Decimal("1.50"), Decimal("1.5")),
        (1e-7, Decimal("0.0000001")),
        (b"\x00\xff", memoryview(b"\x00\xff")),
        ({"a": 1, "b": [2.0]}, {"b": [2], "a": 1}),
        (
            datetime(2031, 5, 4, 12, 0, 0, 1, UTC),
            datetime(2031, 5, 4, 14, 0, 0, 1, timezone(timedelta(hours=2))),
        ),
    ],
)
def test_what_databases_store_in_their_own_way_has_one_text(on_one, on_another):
    assert as_text(on_one) == as_text(on_another)


@pytest.mark.parametrize(
    ("one", "another"),
    [
        (0.1, 0.1 + 2**-55),
        (1, "1"),
        (True, 1),
        (None, "null"),
        (5e-324, 0.0),
        ("a", "a "),
        (["a", "b"], ['a","b']),
        ({}, []),
        (UUID(int=1), UUID(int=2)),
    ],
)
def test_what_differs_has_another_text(one, another):
    assert as_text(one) != as_text(another)
