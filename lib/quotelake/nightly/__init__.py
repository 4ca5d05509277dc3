"""A night: new files into every table, in batches; the next run takes up what a killed one left."""
