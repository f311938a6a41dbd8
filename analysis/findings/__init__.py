"""Findings: what a study holds, what comes next, and the answers to its four questions."""
