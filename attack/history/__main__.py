"""Run a history; ``python -m attack.history --seed N --seconds S [--postgresql URL]``."""

import argparse
import shutil
import tempfile
from pathlib import Path

from attack.history.run import run_history


def main() -> None:
    """Print what was done and what held; exit with 1, and keep the history, if something broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--postgresql", metavar="URL", default="", help="a server to make one on")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="touchstone-history-"))
    account = run_history(folder, options.seed, options.seconds, options.postgresql)
    print(account)
    broken = account.violations or account.failures
    if broken:
        raise SystemExit(f"the history is {folder / 'history.jsonl'}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
