"""Django's PostgreSQL backend, which asks the server only where a connection looks broken."""

import select

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    """Take a connection on which nothing arrived for a sound one.

    Django sends `SELECT 1` before the first statement of each request, which took 7 % of the time
    of a rating. A server that ends a connection says so, and the end of a connection is to be read
    as well: without either there is nothing to ask.
    """

    def is_usable(self) -> bool:
        """Return whether statements can be sent."""
        if self.connection is None or self.connection.closed:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN | select.POLLERR | select.POLLHUP)
        # A statement that was interrupted may still be under way.
        is_idle = self.connection.info.transaction_status == TransactionStatus.IDLE
        return (is_idle and not poll.poll(0)) or bool(super().is_usable())
