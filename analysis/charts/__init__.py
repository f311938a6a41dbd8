"""Charts as pure functions: rows in, a Vega-Lite specification and the table of its numbers out.

A report states rows and titles; a row is a mapping from the columns of the chart's table to values
(`table.Row`). Functions are grouped by their marks: `dots`, `bars`, `heat_map`, `lines`,
`calibration` and `scatter`; `outputs` shows single texts.

To add a chart, write a function in the module of its marks:

1. It takes rows, names of what they show, and ``**titles: Unpack[Titles]``; its docstring names
   the columns.
2. ``Table(columns, rows, nothing=…)`` refuses NaN and unknown columns and returns data, names and
   links; `nothing` is said where there is nothing to draw.
3. Return `drawing.draw`, or `drawing.draw_rows` of rows of names, with the default name, a
   description (`drawing.summary` says how many there are, the lowest and the highest), the data,
   and the functions of `axes` and `layers` composed. Marks name styles; `theme.themed` adds the
   colours.
4. Add it to ``test_chart_tables.py`` and ``test_chart_pictures.py`` in ``tests/analysis/charts``,
   which hold it to the rules of ``docs/look-and-feel.md``.
"""
