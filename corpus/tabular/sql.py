"""Names and texts as SQL writes them, and what it asks of cells."""

SCHEMA = "files"
ROW = "_row"
"""First column of every table: the number of the record in its file, from 1."""


def quoted(name: str) -> str:
    """Return a name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def table_name(name: str) -> str:
    """Return the table of a file as SQL writes it."""
    return f"{SCHEMA}.{quoted(name)}"


def is_number(text: str) -> str:
    """Return a condition: a text is nothing, or a finite number as Python reads one too."""
    odd = f"contains({text}, '_') OR contains({text}, '+-')"
    return f"coalesce(isfinite(TRY_CAST({text} AS DOUBLE)) AND NOT ({odd}), {text} IS NULL)"
