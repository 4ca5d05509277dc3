"""Looking a quote up: which known quotes are nearest to a text, by wording and by meaning. No Spark on a local disk."""
