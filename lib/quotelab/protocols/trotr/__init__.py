"""The tables of TRoTR (Periti et al. 2024): pairs of contexts by topic relatedness, reused texts by topic variation."""
