"""Which page of the help explains which page of the site: `topics.toml` is the one list."""

import tomllib
from pathlib import Path

from analysis.reports.catalogue import KINDS

_LISTED = tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8"))
TOPICS: dict[str, str] = {f"study-{kind}": f"reports.md#{kind}" for kind in KINDS} | {
    name: topic for topic, names in _LISTED.items() for name in names
}
"""Page and heading of the help, by the name of an address; each that shows a page has an entry."""


def topic_address(name: str | None) -> str:
    """Return where a page of the site is explained, from the first page of the help on.

    Parameters
    ----------
    name
        Name of its address; of one without an entry, the first page of the help explains it.
    """
    return TOPICS.get(name or "", "index.md").replace(".md", ".html")
