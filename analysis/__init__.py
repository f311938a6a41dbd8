"""Agreement, correlation and the reports that show them."""
