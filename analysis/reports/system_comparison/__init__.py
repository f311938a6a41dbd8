"""The system comparison report: which systems are rated higher than which others."""
