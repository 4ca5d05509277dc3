"""People judge pairs of contexts and items in fours: what they are given, and what is made of their judgments."""
