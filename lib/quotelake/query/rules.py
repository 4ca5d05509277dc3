"""The allowlist: expressions of Spark's SQL for which DuckDB is known to give the same value, and for which kinds.

All others go to Spark. Each entry needs a statement in ``tests/reading/test_equal_answers.py`` that uses it: the tests
check that both engines give equal answers for it, and fail for an entry without one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from quotelake.query.kinds import BOOL, DATE, DOUBLE, INT, TEXT, Kind

NUMBER: Final = frozenset({"int", "double"})
SIMPLE: Final = frozenset({"int", "double", "text", "bool", "date", "time"})
ANY: Final = SIMPLE | {"array", "struct", "map"}
_TEXT, _BOOL, _INT = (frozenset({name}) for name in ("text", "bool", "int"))
_WHEN: Final = frozenset({"date", "time"})


@dataclass(frozen=True)
class Rule:
    """How DuckDB answers one function.

    Attributes:
        takes: allowed kinds of each argument, by sqlglot's name of the argument.
        gives: kind of its value; None: that of its first argument.
        to: DuckDB function or macro to call with the arguments instead; None: sqlglot's translation for DuckDB.
        flags: further arguments in sqlglot's tree that do not change the value.
    """

    takes: Mapping[str, frozenset[str]]
    gives: Kind | None = None
    to: str | None = None
    flags: frozenset[str] = frozenset()


def _one(kinds: frozenset[str], gives: Kind | None = None, to: str | None = None, *flags: str) -> Rule:
    return Rule({"this": kinds}, gives, to, frozenset(flags))


def _two(kinds: frozenset[str], gives: Kind, to: str | None = None) -> Rule:
    return Rule({"this": kinds, "expression": kinds}, gives, to)


BY_NODE: Final[Mapping[type[exp.Expr], Rule]] = {
    # Text. Lengths and positions count code points in both.
    exp.Upper: _one(_TEXT, TEXT, "spark_upper"),
    exp.Lower: _one(_TEXT, TEXT, "spark_lower"),
    exp.Length: _one(_TEXT, INT),
    exp.Trim: _one(_TEXT, TEXT, "spark_trim"),
    exp.Substring: Rule({"this": _TEXT, "start": _INT, "length": _INT}, TEXT, "spark_substring"),
    exp.Contains: _two(_TEXT, BOOL),
    exp.StartsWith: _two(_TEXT, BOOL),
    exp.EndsWith: _two(_TEXT, BOOL),
    exp.DPipe: Rule({"this": _TEXT, "expression": _TEXT}, TEXT, flags=frozenset({"safe"})),
    # Numbers.
    exp.Add: _two(NUMBER, DOUBLE),
    exp.Sub: _two(NUMBER, DOUBLE),
    exp.Mul: _two(NUMBER, DOUBLE),
    exp.Div: Rule({"this": NUMBER, "expression": NUMBER}, DOUBLE, "spark_divide", frozenset({"typed", "safe"})),
    exp.SafeDivide: _two(NUMBER, DOUBLE, "spark_try_divide"),
    exp.Mod: _two(_INT, INT, "spark_mod"),
    exp.Neg: _one(NUMBER),
    exp.Abs: _one(NUMBER),
    exp.Sqrt: _one(NUMBER, DOUBLE),
    # Times: UTC in both.
    exp.Year: _one(_WHEN, INT),
    exp.Month: _one(_WHEN, INT),
    exp.Day: _one(_WHEN, INT),
    exp.DayOfMonth: _one(_WHEN, INT),
    exp.UnixSeconds: _one(frozenset({"time"}), INT, "spark_unix_seconds"),
    exp.TsOrDsToDate: _one(_WHEN, DATE, None, "safe"),
    # Truth.
    exp.Not: _one(_BOOL, BOOL),
    exp.And: _two(_BOOL, BOOL),
    exp.Or: _two(_BOOL, BOOL),
    # Arrays.
    exp.ArrayContains: Rule({"this": frozenset({"array"}), "expression": SIMPLE}, BOOL),
    exp.ArraySize: _one(frozenset({"array"}), INT, "len"),
    # Aggregates. Both ignore NULLs.
    exp.Sum: _one(NUMBER),
    exp.Avg: _one(NUMBER, DOUBLE),
    exp.Min: _one(SIMPLE),
    exp.Max: _one(SIMPLE),
    # Any row of the group: Spark promises no more.
    exp.First: _one(ANY),
    # DuckDB's arg_max ignores rows whose value is NULL; arg_max_null does not.
    exp.ArgMax: Rule({"this": ANY, "expression": SIMPLE | {"struct"}}, None, "arg_max_null"),
    exp.ArgMin: Rule({"this": ANY, "expression": SIMPLE | {"struct"}}, None, "arg_min_null"),
    # Windows.
    exp.RowNumber: Rule({}, INT),
    exp.Rank: Rule({}, INT),
    exp.DenseRank: Rule({}, INT),
    exp.Lag: _one(ANY),
    exp.Lead: _one(ANY),
}

#: Comparisons: which kinds are comparable is decided in :mod:`quotelake.query.comparing`.
COMPARISONS: Final = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ)
#: Expressions with a function in ``comparing``, ``values`` or ``over_rows``: their kind depends on more than the kinds
#: of their arguments.
SPECIAL: Final = (
    exp.Alias, exp.Array, exp.ArrayAgg, exp.ArraySort, exp.Between, exp.Boolean, exp.Bracket, exp.Case, exp.Cast,
    exp.Coalesce, exp.Column, exp.Concat, exp.Count, exp.CountIf, exp.Dot, exp.Exists, exp.Explode, exp.Filter,
    exp.Greatest, exp.If, exp.In, exp.Is, exp.Least, exp.Like, exp.Literal, exp.Null, exp.Paren, exp.Round, exp.Struct,
    exp.Subquery,
    exp.TimestampTrunc, exp.Transform, exp.TryCast, exp.Window,
)  # fmt: skip
#: Parts of a statement that have no value.
PARTS: Final = (
    exp.Select, exp.Union, exp.With, exp.CTE, exp.From, exp.Join, exp.Table, exp.TableAlias, exp.Identifier, exp.Where,
    exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset, exp.Distinct, exp.Star, exp.DataType,
    exp.WindowSpec, exp.PropertyEQ, exp.Lambda, exp.Var, exp.ColumnDef,
)  # fmt: skip
ALLOWED: Final = frozenset({*BY_NODE, *COMPARISONS, *SPECIAL, *PARTS})
