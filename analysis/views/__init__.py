"""Pages of reports: parse the address, call the service, render."""
