"""The allowlist: expressions of Spark's SQL that DuckDB is known to answer with the same value, and for which kinds.

What is not here goes to Spark. An entry is added together with a line of ``tests/reading/test_rules.py`` that shows
both engines give equal answers for it; a test counts those without one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from quotelake.reading.kinds import BOOL, DATE, DOUBLE, INT, TEXT, Kind

NUMBER: Final = frozenset({"int", "double"})
SIMPLE: Final = frozenset({"int", "double", "text", "bool", "date", "time"})
ANY: Final = SIMPLE | {"array", "struct", "map"}
_TEXT, _BOOL, _INT = (frozenset({name}) for name in ("text", "bool", "int"))
_WHEN: Final = frozenset({"date", "time"})


@dataclass(frozen=True)
class Rule:
    """How one function is answered.

    Attributes:
        takes: kinds of each argument it is allowed with, by the name sqlglot gives the argument.
        gives: kind of its value; None: that of its first argument.
        to: DuckDB function or macro to call with the arguments instead; None: what sqlglot writes for DuckDB.
        flags: further arguments of sqlglot's that change nothing.
    """

    takes: Mapping[str, frozenset[str]]
    gives: Kind | None = None
    to: str | None = None
    flags: frozenset[str] = frozenset()


def _one(kinds: frozenset[str], gives: Kind | None = None, to: str | None = None, *flags: str) -> Rule:
    return Rule({"this": kinds}, gives, to, frozenset(flags))


def _two(kinds: frozenset[str], gives: Kind, to: str | None = None) -> Rule:
    return Rule({"this": kinds, "expression": kinds}, gives, to)


RULES: Final[Mapping[type[exp.Expr], Rule]] = {
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
    # Times: UTC on both sides.
    exp.Year: _one(_WHEN, INT),
    exp.Month: _one(_WHEN, INT),
    exp.Day: _one(_WHEN, INT),
    exp.DayOfMonth: _one(_WHEN, INT),
    exp.TsOrDsToDate: _one(_WHEN, DATE, None, "safe"),
    # Truth.
    exp.Not: _one(_BOOL, BOOL),
    exp.And: _two(_BOOL, BOOL),
    exp.Or: _two(_BOOL, BOOL),
    # Arrays.
    exp.ArrayContains: Rule({"this": frozenset({"array"}), "expression": SIMPLE}, BOOL),
    exp.ArraySize: _one(frozenset({"array"}), INT, "len"),
    # Aggregates. NULLs are left out by both.
    exp.Sum: _one(NUMBER),
    exp.Avg: _one(NUMBER, DOUBLE),
    exp.Min: _one(SIMPLE),
    exp.Max: _one(SIMPLE),
    # One of the group, whichever: Spark says no more of it.
    exp.First: _one(ANY),
    # DuckDB's arg_max leaves out rows whose value is NULL; this one does not.
    exp.ArgMax: Rule({"this": ANY, "expression": SIMPLE | {"struct"}}, None, "arg_max_null"),
    exp.ArgMin: Rule({"this": ANY, "expression": SIMPLE | {"struct"}}, None, "arg_min_null"),
    # Windows.
    exp.RowNumber: Rule({}, INT),
    exp.Rank: Rule({}, INT),
    exp.DenseRank: Rule({}, INT),
    exp.Lag: _one(ANY),
    exp.Lead: _one(ANY),
}

#: Comparisons: of one kind on both sides, or as :func:`quotelake.reading.checking.comparable` says.
COMPARISONS: Final = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ)
#: What has a rule in words, in ``checking``: its kind depends on more than those of its arguments.
SPECIAL: Final = (
    exp.Alias, exp.Array, exp.ArrayAgg, exp.ArraySort, exp.Between, exp.Boolean, exp.Bracket, exp.Case, exp.Cast,
    exp.Coalesce, exp.Column, exp.Concat, exp.Count, exp.CountIf, exp.Dot, exp.Exists, exp.Explode, exp.Filter,
    exp.Greatest, exp.If, exp.In, exp.Is, exp.Least, exp.Like, exp.Literal, exp.Null, exp.Paren, exp.Round, exp.Struct,
    exp.Subquery,
    exp.TimestampTrunc, exp.Transform, exp.TryCast, exp.Window,
)  # fmt: skip
#: Parts of a statement that are no expressions with a value.
PARTS: Final = (
    exp.Select, exp.Union, exp.With, exp.CTE, exp.From, exp.Join, exp.Table, exp.TableAlias, exp.Identifier, exp.Where,
    exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset, exp.Distinct, exp.Star, exp.DataType,
    exp.WindowSpec, exp.PropertyEQ, exp.Lambda, exp.Var, exp.ColumnDef,
)  # fmt: skip
ALLOWED: Final = frozenset({*RULES, *COMPARISONS, *SPECIAL, *PARTS})
