"""Finding a phrase in texts, whatever the case of its letters, alike in every database.

LIKE of SQLite knows cases of ASCII alone, and that of PostgreSQL those of the server's locale. Here
each letter of the phrase stands for all that differ from it by case (Unicode's simple folding).
"""

import re
from functools import cache
from typing import Any

from django.db.models import CharField, Lookup, TextField

_LAST_WITH_CASE = 0x1E943
"""Of Adlam, the last script of Unicode that has cases."""


def phrase_expression(phrase: str) -> str:
    """Return a regular expression that finds a phrase, for Python and PostgreSQL.

    Examples
    --------
    >>> phrase_expression("é 50%?")
    '[Éé]\\\\ 50%\\\\?'
    """
    same = _same_letters()
    return "".join(f"[{same[sign]}]" if sign in same else re.escape(sign) for sign in phrase)


def phrase_glob(phrase: str) -> str:
    """Return a pattern of SQLite's GLOB that fits a text with a phrase.

    Examples
    --------
    >>> phrase_glob("É*")
    '*[Éé][*]*'
    """
    same = _same_letters()
    classes = [same.get(sign) or (sign if sign in "*?[" else "") for sign in phrase]
    signs = (f"[{some}]" if some else sign for some, sign in zip(classes, phrase, strict=True))
    return f"*{''.join(signs)}*"


@cache
def _same_letters() -> dict[str, str]:
    """Return for each letter that has cases all letters that differ from it by case alone."""
    groups: dict[str, str] = {}
    for code in range(_LAST_WITH_CASE + 1):
        folded = chr(code).casefold()
        if len(folded) == 1:
            groups[folded] = groups.get(folded, "") + chr(code)
    return {letter: group for group in groups.values() if len(group) > 1 for letter in group}


@CharField.register_lookup
@TextField.register_lookup
class HasPhrase(Lookup):
    """`text__has=phrase`: a text that holds the phrase in upper or lower case."""

    lookup_name = "has"

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Compare by GLOB."""
        left, values = self.process_lhs(compiler, connection)
        return f"{left} GLOB %s", (*values, phrase_glob(self.rhs))

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Compare by a regular expression."""
        left, values = self.process_lhs(compiler, connection)
        return f"{left} ~ %s", (*values, phrase_expression(self.rhs))
