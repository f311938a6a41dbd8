"""A turn at writing is taken once: who asks for it again within it hears so at once."""

import pytest
from django.db import connection

from corpus.storage.write_turn import write_turn

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_turn_within_a_turn_is_refused_instead_of_waiting_for_itself():
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite takes turns")
    with pytest.raises(RuntimeError, match="holds the turn already"), write_turn(), write_turn():
        pass
    # The turn was given back.
    with write_turn():
        pass
