"""The probes report: what moves a judge or metric beside what it is to judge."""
