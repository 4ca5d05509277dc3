"""Expressions over several rows, and those whose value is several rows: aggregates, windows, subqueries, EXPLODE."""

from collections.abc import Mapping
from typing import Final

from sqlglot import exp

from quotelake.lake.local import Unsupported
from quotelake.query.kinds import BOOL, INT, Kind
from quotelake.query.scope import Scope
from quotelake.query.special import Checks, Special


def _filter(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if checker.kind(node.expression.this, scope) != BOOL:
        raise Unsupported("FILTER on a value that is not a truth value")
    return checker.kind(node.this, scope)


def _window(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    spec = node.args.get("spec")
    if spec is not None and str(spec.args.get("kind")).upper() != "ROWS":
        raise Unsupported("a window over a range")
    for part in node.args.get("partition_by") or ():
        checker.kind(part, scope)
    order = node.args.get("order")
    for part in order.expressions if order is not None else ():
        checker.kind(part.this, scope)
    return checker.kind(node.this, scope)


def _scalar(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    kinds = checker.query(node.this, scope)
    if len(kinds) != 1 or kinds[0] is None:
        raise Unsupported("a subquery of several columns as a value")
    return kinds[0]


def _count(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    counted = node.this.expressions if isinstance(node.this, exp.Distinct) else [node.this, *node.expressions]
    if len(counted) != 1:  # Spark ignores rows in which any of them is NULL
        raise Unsupported("COUNT of several expressions")
    if not isinstance(counted[0], exp.Star):
        checker.kind(counted[0], scope)
    return INT


def _count_if(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if checker.kind(node.this, scope) != BOOL:
        raise Unsupported("COUNT_IF of a value that is not a truth value")
    # DuckDB's count_if is NULL where there is nothing to count.
    one = exp.Case(ifs=[exp.If(this=node.this.copy(), true=exp.Literal.number(1))])
    node.replace(exp.Count(this=one))
    return INT


def _collect(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    # The order of the rows is undefined: answers are equal only where it does not matter.
    if not isinstance(node.parent, exp.ArraySort | exp.ArraySize) or isinstance(node.this, exp.Order):
        raise Unsupported("collect_list outside sort_array and size")
    kind = Kind("array", of=checker.kind(node.this, scope))
    collected = exp.Anonymous(this="list", expressions=[node.this.copy()])
    node.replace(exp.Anonymous(this="spark_collected", expressions=[collected]))
    return kind


def _sorted(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    inner = node.this
    if (node.expression is not None and node.args.get("expression")) or not isinstance(inner, exp.ArrayAgg):
        raise Unsupported("sort_array of anything but collect_list, or descending")
    kind = checker.kind(inner, scope)
    node.replace(exp.Anonymous(this="list_sort", expressions=[node.this.copy()]))
    return kind


def _explode(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    parent = node.parent
    if not (isinstance(parent, exp.Alias) and isinstance(parent.parent, exp.Select)):
        raise Unsupported("EXPLODE other than as a column with a name")
    kind = checker.kind(node.this, scope)
    if kind.name != "array" or kind.of is None:
        raise Unsupported("EXPLODE of a value that is not an array")
    return kind.of


#: By type of expression, what determines its kind.
OVER_ROWS: Final[Mapping[type[exp.Expr], Special]] = {
    exp.Filter: _filter,
    exp.Window: _window,
    exp.Subquery: _scalar,
    exp.Count: _count,
    exp.CountIf: _count_if,
    exp.ArrayAgg: _collect,
    exp.ArraySort: _sorted,
    exp.Explode: _explode,
}
