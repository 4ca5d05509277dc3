"""Two texts held against each other: what both hold, in which order, in which spelling. Pure; knows no outcome."""
