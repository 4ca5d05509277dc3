"""Compare two texts: what both contain, in which order, in which spelling. Pure; knows no outcome."""
