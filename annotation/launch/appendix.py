"""What annotators of a campaign see as one HTML file for a paper."""

import base64
import hashlib
import re
from pathlib import Path

from django.contrib.staticfiles import finders

STYLES = ("css/tokens.css", "css/touchstone.css", "css/rating.css", "css/appendix.css")
SCRIPT = "js/slider.js"
"""Without it, readers of the file would see number fields where annotators see sliders."""
_LOADED = re.compile(r'\s*(?:<link rel="stylesheet"[^>]*>|<script src="[^>]*></script>)')
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'"


def self_contained(page: str) -> str:
    """Return a page with its style sheets and script inside, which loads nothing from anywhere.

    Parameters
    ----------
    page
        HTML with links to `STYLES` and `SCRIPT`.
    """
    sheets, script = "\n".join(map(_content, STYLES)), _content(SCRIPT)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY.format(digest)}">'
    alone = _LOADED.sub("", page)
    alone = alone.replace("</head>", f"{policy}\n<style>\n{sheets}\n</style>\n</head>", 1)
    return alone.replace("</body>", f"<script>{script}</script>\n</body>", 1)


def _content(name: str) -> str:
    return Path(str(finders.find(name))).read_text(encoding="utf-8")
