"""A night: new files into every table, in batches that a killed run takes up again."""
