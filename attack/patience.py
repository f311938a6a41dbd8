"""How long attacks wait, and what a time that they measured is compared with."""

SECONDS_TO_WAIT = 600.0
"""For one answer, page or command: only what hangs takes longer, however loaded the machine is."""
MOST_TIMES = 5.0


def in_time(seconds: float, limit: float, harmless: float) -> bool:
    """Return whether something took less than a limit, or little longer than something harmless.

    Parameters
    ----------
    seconds
        What the attack took.
    limit
        What it may take on a machine that does nothing else.
    harmless
        What the same request took without the attack: on a loaded machine that is long too.

    Examples
    --------
    >>> in_time(4.0, 5.0, 0.1), in_time(9.0, 5.0, 3.0), in_time(9.0, 5.0, 0.1)
    (True, True, False)
    """
    return seconds < max(limit, MOST_TIMES * harmless)


def waited_in_vain(error: BaseException | None) -> bool:
    """Return whether an error, or what it was raised for, is that somebody waited too long."""
    while error is not None:
        # Playwright's and urllib's say so in ways of their own.
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if kinds & {"TimeoutError", "TimeoutExpired"}:
            return True
        reason = getattr(error, "reason", None)
        error = reason if isinstance(reason, BaseException) else error.__cause__
    return False
