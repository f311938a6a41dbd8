"""Charts as pure functions: rows in, a Vega-Lite specification and the table of its numbers out.

A report states rows and titles; a row is a mapping from the columns of the chart's table to values
(`table.Row`). Functions are grouped by their marks: `dots`, `bars`, `heat_map`, `lines` and
`scatter`; the larger `curves`, `score_scatter` and `text_map` have modules of their own.

To add a chart, write a function in the module of its marks:

1. It takes rows, names of what they show, and ``**titles: Unpack[Titles]``; its docstring names
   the columns. Set the default name: ``titles.setdefault("name", "my-chart")``.
2. ``Table(columns, rows)`` refuses NaN and unknown columns and returns data, names and links.
   Without rows, return `drawing.nothing_to_draw` with the reason.
3. Return `drawing.draw` with a description of the most important finding
   (`describing.described` adds how many numbers are undefined), the data, and the functions of
   `axes` and `layers` composed. Marks name styles; `theme.themed` adds the colours.
4. Add it to ``test_chart_tables.py`` and ``test_chart_pictures.py`` in ``tests/analysis/charts``,
   which hold it to the rules of ``docs/look-and-feel.md``.
"""
