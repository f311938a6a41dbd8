"""The report on groups of raters: whom a metric or judge represents."""
