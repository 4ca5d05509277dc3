"""Functions of Spark's that DuckDB answers otherwise under the same name, written in DuckDB's SQL.

What they cannot answer as Spark would is an error, and an error here means: ask Spark.
"""

from typing import Final

#: Code points whose upper or lower case has several characters or depends on those around: Java knows, DuckDB does not.
_ODD_LOWER: Final = "İΣ"

MACROS: Final = {
    # Spark refuses to divide by zero (a NULL by zero too is asked there), and knows no quotient but a double.
    "spark_divide(a, b)": (
        "CAST(a AS DOUBLE) / CASE WHEN b = 0 THEN error('division by zero') ELSE CAST(b AS DOUBLE) END"
    ),
    "spark_try_divide(a, b)": "CAST(a AS DOUBLE) / nullif(CAST(b AS DOUBLE), 0)",
    "spark_mod(a, b)": "a % CASE WHEN b = 0 THEN error('division by zero') ELSE b END",
    # Position 0 is position 1; a negative one counts from the end and may lie before the beginning.
    "spark_substring(s, p, n)": (
        "CASE WHEN s IS NULL OR p IS NULL OR n IS NULL THEN NULL "
        "WHEN p > 0 THEN substring(s, p, greatest(n, 0)) "
        "WHEN p = 0 THEN substring(s, 1, greatest(n, 0)) "
        "WHEN length(s) + p >= 0 THEN substring(s, length(s) + p + 1, greatest(n, 0)) "
        "ELSE substring(s, 1, greatest(length(s) + p + n, 0)) END"
    ),
    "spark_lower(s)": f"CASE WHEN regexp_matches(s, '[{_ODD_LOWER}]') THEN error('case') ELSE lower(s) END",
    # Outside of ASCII upper case may need several characters.
    "spark_upper(s)": "CASE WHEN regexp_matches(s, '[^\\x00-\\x7F]') THEN error('case') ELSE upper(s) END",
    # Spark rounds the shortest decimal that reads as the number, half away from zero.
    **{
        f"spark_round_{places}(x)": f"CAST(CAST(CAST(x AS VARCHAR) AS DECIMAL(38, {places})) AS DOUBLE)"
        for places in range(11)
    },
    "spark_trim(s)": "trim(s, ' ')",
    # NULLs are left out, and of nothing is left an empty list.
    "spark_collected(l)": "coalesce(list_filter(l, lambda x: x IS NOT NULL), [])",
    "spark_first_day(unit, t)": "CAST(date_trunc(unit, CAST(t AS TIMESTAMP)) AS TIMESTAMP)",
}
