#!/usr/bin/env python
"""Run Touchstone's administrative commands."""

import sys

from config.command_line import run

if __name__ == "__main__":
    run(sys.argv)
