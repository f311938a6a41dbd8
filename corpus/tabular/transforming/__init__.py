"""What a mapping does with rows before their cells become fields: see `transformed`."""
