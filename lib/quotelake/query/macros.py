"""Functions of Spark for which DuckDB's function of the same name gives other values, written in DuckDB's SQL.

Where a macro cannot give Spark's value it raises an error, and the statement goes to Spark.
"""

from typing import Final

#: Code points whose lower case has several characters or depends on their neighbours: Java handles them, DuckDB not.
_ODD_LOWER: Final = "İΣ"

MACROS: Final = {
    # Spark raises an error for a division by zero (NULL / 0 goes to Spark too), and each quotient is a double.
    "spark_divide(a, b)": (
        "CAST(a AS DOUBLE) / CASE WHEN b = 0 THEN error('division by zero') ELSE CAST(b AS DOUBLE) END"
    ),
    "spark_try_divide(a, b)": "CAST(a AS DOUBLE) / nullif(CAST(b AS DOUBLE), 0)",
    "spark_mod(a, b)": "a % CASE WHEN b = 0 THEN error('division by zero') ELSE b END",
    # Position 0 means 1; a negative position counts from the end and may be before the beginning.
    "spark_substring(s, p, n)": (
        "CASE WHEN s IS NULL OR p IS NULL OR n IS NULL THEN NULL "
        "WHEN p > 0 THEN substring(s, p, greatest(n, 0)) "
        "WHEN p = 0 THEN substring(s, 1, greatest(n, 0)) "
        "WHEN length(s) + p >= 0 THEN substring(s, length(s) + p + 1, greatest(n, 0)) "
        "ELSE substring(s, 1, greatest(length(s) + p + n, 0)) END"
    ),
    "spark_lower(s)": f"CASE WHEN regexp_matches(s, '[{_ODD_LOWER}]') THEN error('case') ELSE lower(s) END",
    # Outside ASCII, upper case may need several characters.
    "spark_upper(s)": "CASE WHEN regexp_matches(s, '[^\\x00-\\x7F]') THEN error('case') ELSE upper(s) END",
    # Spark rounds the shortest decimal that parses to the number, half away from zero.
    **{
        f"spark_round_{places}(x)": f"CAST(CAST(CAST(x AS VARCHAR) AS DECIMAL(38, {places})) AS DOUBLE)"
        for places in range(11)
    },
    "spark_trim(s)": "trim(s, ' ')",
    # NULLs are dropped; without values the list is empty.
    "spark_collected(l)": "coalesce(list_filter(l, lambda x: x IS NOT NULL), [])",
    "spark_unix_seconds(t)": "CAST(floor(epoch(t)) AS BIGINT)",
    "spark_first_day(unit, t)": "CAST(date_trunc(unit, CAST(t AS TIMESTAMP)) AS TIMESTAMP)",
}
