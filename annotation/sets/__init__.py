"""Sets of campaigns that the same annotators rate."""
