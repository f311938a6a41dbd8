"""How the site is: each check described once; `/readyz`, the doctor and pages only show it."""
