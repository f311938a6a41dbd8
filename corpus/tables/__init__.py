"""The tables of a study archive that hold texts, and the register of all tables."""
