"""Reading a lake without Spark: DuckDB runs SQL on the Delta tables and gives Spark's answers. Imports no Spark."""
