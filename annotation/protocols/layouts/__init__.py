"""How the texts of a screen are arranged, and all that depends on it; one module each."""
