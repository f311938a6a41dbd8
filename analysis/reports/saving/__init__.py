"""The saving report: how many ratings a metric saves."""
