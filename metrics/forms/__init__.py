"""Forms of the metric pages."""
