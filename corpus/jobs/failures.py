"""What a job says of an error that nobody foresaw."""

import re

from corpus.storage.faults import storage_fault

LONGEST = 1000
_FOLDERS = re.compile(r"(?<![\w/:.])(?:/[^\s/'\",:]+)+/(?=[^\s/'\",:])")


def description(error: Exception) -> str:
    """Return kind and text of an error, or what is wrong with the disk, without folders' names.

    Examples
    --------
    >>> description(OSError(36, "File name too long", "/srv/touchstone/var/files/work/x"))
    "OSError: [Errno 36] File name too long: '…/x'"
    >>> description(ValueError("no answer from https://example.org/a/b"))
    'ValueError: no answer from https://example.org/a/b'
    """
    if fault := storage_fault(error):
        return fault.words
    text = str(error)
    text = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    return f"{type(error).__name__}: {_FOLDERS.sub('…/', text)}"
