"""Agreement of raters: coefficients, their intervals, reliability and careless answers."""
