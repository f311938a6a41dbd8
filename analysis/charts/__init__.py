"""Charts as pure functions: plain rows in, a Vega-Lite specification and its table out."""
