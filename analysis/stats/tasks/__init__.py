"""Metrics, or systems, over several tasks: values, weighted averages, joint tests, ranks."""
