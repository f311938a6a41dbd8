"""The command `touchstone`: `manage.py` of a Touchstone that is installed, not cloned."""

import os
import sys
from pathlib import Path

ROOMS = Path(__file__).resolve().parent


def data_folder() -> Path:
    """Return where data are kept unless TOUCHSTONE_DATA names another folder.

    That is ``touchstone`` below ``XDG_DATA_HOME`` (XDG Base Directory Specification).
    """
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "touchstone"


def main() -> None:
    """Run a command; without one, start the server."""
    if not os.environ.get("TOUCHSTONE_DATA"):
        os.environ["TOUCHSTONE_DATA"] = str(data_folder())
    # The rooms keep the names that they have in a checkout, and no other program sees them.
    sys.path.insert(0, str(ROOMS))
    from config.command_line import run

    run([*sys.argv, "serve"] if len(sys.argv) == 1 else sys.argv)


if __name__ == "__main__":
    main()
