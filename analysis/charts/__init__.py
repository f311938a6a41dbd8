"""Charts as pure functions: rows in, a Vega-Lite specification and the table of its numbers out.

A row is a mapping from the columns of the chart's table to values (`table.Row`). Functions are
grouped by their marks: `dots`, `bars`, `heat_map`, `lines` and `scatter`; the larger `curves`,
`score_scatter` and `text_map` have modules of their own. A report states rows and titles.

To add a chart, write a function in the module of its marks:

1. It takes rows, what else it has to say, and ``**titles: Unpack[Titles]``; its docstring names
   the columns.
2. ``Table(columns, rows)`` refuses NaN and unknown columns and gives data, names and links.
   Without rows, return `table.nothing_to_draw` with the reason.
3. Return `table.draw` with a description of what stands out (`table.described` says how many
   numbers are undefined), the data, and layers composed of the functions of `layers`. Colours are
   named by styles and added by `theme.themed`.
4. Add it to ``tests/test_chart_tables.py`` and ``tests/test_chart_pictures.py``, which hold it to
   the rules, and to the list in ``docs/look-and-feel.md``.
"""
