"""Files as other tools write them, recognised by name: one module a format. No Django here."""
