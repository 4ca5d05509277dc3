"""English attribution: the clauses, phrases and subjects around a quote that say who speaks."""
