"""Import: discover, map, stage, check, publish, all or nothing."""
