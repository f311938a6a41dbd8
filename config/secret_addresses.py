"""What opens something by being known stays out of the log: tokens and codes in addresses."""

import logging
import re

_SECRET = re.compile(
    r"/(join|join-by-code|panel-events|invitations|shared|account/address"
    r"|sign-in/reset/[^/\s]+|sign-in/[^/\s]+)/[^/\s]+"
)


class SecretAddresses(logging.Filter):
    """Replaces the secret of each address in a line of the log.

    Examples
    --------
    >>> line = logging.makeLogRecord({"msg": "Forbidden: %s", "args": ("/panel-events/x1/",)})
    >>> SecretAddresses().filter(line), line.getMessage()
    (True, 'Forbidden: /panel-events/…/')
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask a line that has such an address; no line is left out."""
        said = record.getMessage()
        masked = _SECRET.sub(r"/\1/…", said)
        if masked != said:
            record.msg, record.args = masked, ()
        return True
