"""Reports as flat tables: CSV, JSON, LaTeX, data frames."""
