"""Reading a lake without Spark: SQL answered by DuckDB over the Delta tables, as Spark would answer it. Pure."""
