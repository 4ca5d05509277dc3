"""Expressions that name, make, take apart or convert a value."""

from collections.abc import Mapping
from typing import Final

from sqlglot import exp

from quotelake.lake.local import Unsupported
from quotelake.query.comparing import TIME_TEXT, one_kind
from quotelake.query.errors import UnknownName
from quotelake.query.kinds import BOOL, DATE, DECIMAL, DOUBLE, INT, NULL, TEXT, TIME, Kind, kind_of
from quotelake.query.scope import Scope, parts_of
from quotelake.query.special import Checks, Special

_UNITS: Final = frozenset({"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR"})
#: Casts for which both engines give the same value: from, to.
_CASTS: Final = {("int", "double"), ("int", "text"), ("bool", "text"), ("date", "text"), ("time", "date"),
                 ("date", "time")}  # fmt: skip


def _inner(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    return checker.kind(node.this, scope)


def _column(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    assert isinstance(node, exp.Column)
    try:
        return scope.kind(parts_of(node))
    except UnknownName as error:
        error.start = node.parts[0].meta.get("start")
        raise


def _dot(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if isinstance(node.this, exp.Identifier):  # the parameter of a lambda
        return scope.kind([node.this.name.lower(), node.expression.name.lower()])
    kind = checker.kind(node.this, scope)
    if kind.name != "struct" or node.expression.name.lower() not in kind.fields:
        raise Unsupported("a field of a value that is not a struct")
    return kind.fields[node.expression.name.lower()]


def _literal(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if node.is_string:
        return TEXT
    if node.is_int:
        return INT
    return DOUBLE if "e" in str(node.this).lower() else DECIMAL


def _cast(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    to = kind_of(node.args["to"])
    if to is None:
        raise Unsupported(f"CAST AS {node.args['to'].sql('spark')}")
    if isinstance(node.this, exp.Literal) and not node.this.is_string and to in (DOUBLE, INT):
        exact = node.this.is_int or to == DOUBLE
        if exact and node.args["to"].is_type("double", "bigint", "int"):
            return to
        raise Unsupported("CAST of a number in the statement")
    if isinstance(node.this, exp.Literal) and to in (DATE, TIME) and TIME_TEXT.fullmatch(node.this.name):
        pass
    elif (checker.kind(node.this, scope).name, to.name) not in _CASTS:
        raise Unsupported(f"CAST AS {node.args['to'].sql('spark')}")
    if to == TIME:  # times are in UTC without a time zone, as Spark returns them to Python
        node.set("to", exp.DataType.build("TIMESTAMP", dialect="duckdb"))
    return to


def _concat(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if {checker.kind(part, scope) for part in node.expressions} - {TEXT, NULL}:
        raise Unsupported("CONCAT of a value that is not text")
    return TEXT


def _array(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    return Kind("array", of=one_kind(checker, node.expressions, scope))


def _struct(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if not all(isinstance(part, exp.PropertyEQ) for part in node.expressions):
        raise Unsupported("STRUCT with a field without a name")
    return Kind("struct", fields={part.name.lower(): checker.kind(part.expression, scope) for part in node.expressions})


def _bracket(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    kind = checker.kind(node.this, scope)
    [key] = node.expressions if len(node.expressions) == 1 else [None]
    if kind.name != "map" or kind.of is None or not (isinstance(key, exp.Literal) and key.is_string):
        raise Unsupported("an element of an array")
    return kind.of


def _round(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    places = node.args.get("decimals")
    known = places is None or (isinstance(places, exp.Literal) and places.is_int and int(places.name) <= 10)
    if checker.kind(node.this, scope) != DOUBLE or not known or node.args.get("truncate"):
        raise Unsupported("ROUND other than of a double to at most 10 places")
    name = f"spark_round_{places.name if places is not None else 0}"
    node.replace(exp.Anonymous(this=name, expressions=[node.this.copy()]))
    return DOUBLE


def _truncate(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    unit = node.args["unit"].name.upper()
    if unit not in _UNITS or checker.kind(node.this, scope) not in (DATE, TIME) or node.args.get("zone"):
        raise Unsupported(f"DATE_TRUNC to {unit}")
    node.replace(
        exp.Anonymous(this="spark_first_day", expressions=[exp.Literal.string(unit.lower()), node.this.copy()])
    )
    return TIME


def _transform(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    kind, function = checker.kind(node.this, scope), node.expression
    if kind.name != "array" or not isinstance(function, exp.Lambda) or len(function.expressions) != 1:
        raise Unsupported("TRANSFORM")
    name = function.expressions[0].name.lower()
    inner = Scope(sources={"": {name: kind.of}}, parent=scope, tables=scope.tables)
    return Kind("array", of=checker.kind(function.this, inner))


#: By type of expression, what determines its kind.
VALUES: Final[Mapping[type[exp.Expr], Special]] = {
    exp.Alias: _inner,
    exp.Paren: _inner,
    exp.Column: _column,
    exp.Dot: _dot,
    exp.Literal: _literal,
    exp.Null: lambda checker, node, scope: NULL,
    exp.Boolean: lambda checker, node, scope: BOOL,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Concat: _concat,
    exp.Array: _array,
    exp.Struct: _struct,
    exp.Bracket: _bracket,
    exp.Round: _round,
    exp.TimestampTrunc: _truncate,
    exp.Transform: _transform,
}
