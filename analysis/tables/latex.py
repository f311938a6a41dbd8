"""Flat tables as LaTeX, ready for a paper."""

from collections.abc import Iterable

from analysis.tables.flat_table import Cell, FlatTable
from analysis.tables.marks import UNDERLINED, WORDS, Tested, mark_of

DECIMALS = 3
LONGEST = 45
"""Rows that fit one page; more become a longtable."""
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}


def latex_table(table: FlatTable, decimals: int = DECIMALS) -> str:
    r"""Return a table in LaTeX with the rules of the booktabs package.

    Only the columns that are meant for print appear, and none that is empty throughout. Numbers
    are rounded; comments above the table hold where they come from and every signature, so that
    each can be found again. More rows than a page holds become a longtable.

    Parameters
    ----------
    table : FlatTable
        Cells unrounded.
    decimals : int
        Digits after the point of measured numbers; counts stay whole.

    Returns
    -------
    str
        Comments, then a ``table`` or ``longtable`` environment; needs ``\usepackage{booktabs}``.

    Examples
    --------
    >>> latex_escape("50 % of chatgpt_multi")
    '50 \\% of chatgpt\\_multi'
    """
    shown = _shown_columns(table)
    numeric = [_is_numeric(row[index] for row in table.rows) for index in shown]
    head = _row(latex_escape(_heading(table.columns[index])) for index in shown)
    body = [
        _row(_marked(row[index], decimals, table.marks) for index in shown) for row in table.rows
    ]
    alignment = "".join("r" if number else "l" for number in numeric)
    caption = latex_escape(
        table.title
        + (" (simulated ratings)" if table.simulated else "")
        + (f" ({WORDS[table.marks]})" if table.marks else "")
        + (f". {table.verdict}" if table.verdict else "")
    )
    caption, label = rf"\caption{{{caption}}}", rf"\label{{tab:{table.name}}}"
    top = [r"\toprule", head, r"\midrule"]
    if len(body) > LONGEST:
        lines = [
            r"% needs \usepackage{longtable}",
            rf"\begin{{longtable}}{{{alignment}}}",
            rf"{caption}{label} \\",
            *(*top, r"\endfirsthead", *top, r"\endhead", r"\bottomrule", r"\endlastfoot"),
            *(*body, r"\end{longtable}"),
        ]
    else:
        lines = [
            *(r"\begin{table}", r"\centering", caption, label),
            rf"\begin{{tabular}}{{{alignment}}}",
            *(*top, *body, r"\bottomrule", r"\end{tabular}", r"\end{table}"),
        ]
    return "\n".join([*_comments(table), *lines]) + "\n"


def _row(cells: Iterable[str]) -> str:
    r"""Return a row; the line before it would take a first ``[`` or ``*`` as its option or star."""
    row = " & ".join(cells) + r" \\"
    return f"{{}}{row}" if row.lstrip().startswith(("[", "*")) else row


def latex_escape(text: str) -> str:
    """Return text in which no character means anything to LaTeX; line breaks become spaces."""
    flat = " ".join(text.split())
    return "".join(_SPECIAL.get(character, character) for character in flat)


def _comments(table: FlatTable) -> list[str]:
    lines = []
    if table.simulated:
        lines.append("% SIMULATED RATINGS: no person judged these outputs.")
    lines += [f"% {_one_line(source)}" for source in table.sources]
    lines += [f"% signature: {_one_line(signature)}" for signature in table.signatures]
    return [*lines, r"% needs \usepackage{booktabs}"]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shown_columns(table: FlatTable) -> list[int]:
    names = table.printed or table.columns
    indices = [table.columns.index(name) for name in names]
    filled = [i for i in indices if any(row[i] not in (None, "") for row in table.rows)]
    return filled or indices


def _is_numeric(cells: Iterable[Cell]) -> bool:
    values = [cell for cell in cells if cell not in (None, "")]
    return bool(values) and all(
        isinstance(cell, int | float) and not isinstance(cell, bool) for cell in values
    )


def _heading(name: str) -> str:
    words = name.replace("_", " ")
    return {"p value": "p", "n": "n"}.get(words, words[:1].upper() + words[1:])


def _marked(value: Cell, decimals: int, marks: str) -> str:
    """Return a cell; a number that was tested, with its mark."""
    text = _cell(value, decimals)
    mark = mark_of(value.p_value, marks) if isinstance(value, Tested) else ""
    if not mark:
        return text
    return rf"\underline{{{text}}}" if marks == UNDERLINED else f"{text}$^{{{mark}}}$"


def _cell(value: Cell, decimals: int) -> str:
    if value is None:
        return "--"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _number(value, decimals)
    if isinstance(value, int):
        return str(value)
    return latex_escape(value)


def _number(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("-")
        if value != 0:
            # Too small for the column: a p-value is then known to be below the last digit.
            text = f"{value:.1e}"
    return f"${text}$" if text.startswith("-") or "e" in text else text
