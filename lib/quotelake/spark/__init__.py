"""The Spark session, its environment and installation, and frames kept while they are used."""
