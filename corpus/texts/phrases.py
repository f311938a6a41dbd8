"""Finding a phrase in texts, whatever the case of its letters, alike in every database.

LIKE of SQLite knows cases of ASCII alone, and that of PostgreSQL those of the server's locale. Here
each letter of the phrase stands for all that differ from it by case (Unicode's simple folding), and
ß is the same as ss. Accents and ligatures are kept apart: e is not é.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.db.models import CharField, Lookup, TextField

_LAST_WITH_CASE = 0x1E943
"""Of Adlam, the last script of Unicode that has cases."""
_S, _SHARP_S = "Ssſ", "ßẞ"
_SIGNS = re.compile(rf"[{_S}]{{2}}|.", re.DOTALL)
_DOUBLE = re.compile(rf"[{_S}]{{2}}|[{_SHARP_S}]")


def phrase_expression(phrase: str) -> str:
    """Return a regular expression that finds a phrase, for Python and PostgreSQL.

    Examples
    --------
    >>> phrase_expression("é 50%?")
    '[Éé]\\\\ 50%\\\\?'
    """
    return "".join(
        f"(?:[{_S}]{{2}}|{same})" if is_double else same or re.escape(sign)
        for sign, same, is_double in _letters(phrase)
    )


def phrase_glob(phrase: str) -> str:
    """Return a pattern of SQLite's GLOB that fits a text with a phrase.

    With a double s in the phrase it fits other texts too.

    Examples
    --------
    >>> phrase_glob("É*")
    '*[Éé][*]*'
    """
    found = (
        f"[{_S}{_SHARP_S}]*" if is_double else same or (f"[{sign}]" if sign in "*?[" else sign)
        for sign, same, is_double in _letters(phrase)
    )
    return f"*{''.join(found)}*"


def _letters(phrase: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each sign, a class of the letters that are the same, and whether it is a double s.

    A single s at an end of the phrase may be half of a double one, as of a word being typed.
    """
    same = _same_letters()
    signs = _SIGNS.findall(phrase)
    for place, sign in enumerate(signs):
        if _DOUBLE.fullmatch(sign):
            yield sign, f"[{_SHARP_S}]", True
        elif sign in _S and place in (0, len(signs) - 1):
            yield sign, f"[{_S}{_SHARP_S}]", False
        else:
            yield sign, f"[{same[sign]}]" if sign in same else "", False


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
        """Compare by GLOB, which is fast; a double s by an expression where GLOB fits."""
        left, values = self.process_lhs(compiler, connection)
        fits = f"{left} GLOB %s", (*values, phrase_glob(self.rhs))
        if not _DOUBLE.search(self.rhs):
            return fits
        both = (*fits[1], *values, phrase_expression(self.rhs))
        return f"({fits[0]} AND {left} REGEXP %s)", both

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Compare by a regular expression."""
        left, values = self.process_lhs(compiler, connection)
        return f"{left} ~ %s", (*values, phrase_expression(self.rhs))
