"""Expressions whose values must be of like kinds: comparisons and other conditions, and choices between values."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from sqlglot import exp

from quotelake.lake.local import Unsupported
from quotelake.query.kinds import BOOL, DATE, DECIMAL, DOUBLE, INT, NULL, TEXT, Kind
from quotelake.query.rules import COMPARISONS, NUMBER, SIMPLE
from quotelake.query.scope import Scope
from quotelake.query.special import Checks, Special

#: A text that both engines read as the same time.
TIME_TEXT: Final = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?")
_LEAST_KINDS: Final = frozenset(kind for kind in SIMPLE if kind != "bool")


def _comparable(checker: Checks, nodes: Sequence[exp.Expr], scope: Scope) -> None:
    """Check that values have one kind, or are all numbers, or times with dates and with text that is a time."""
    kinds = [checker.kind(node, scope) for node in nodes]
    names = {kind.name for kind in kinds} - {"null"}
    if names & {"date", "time"}:
        texts = [node for node, kind in zip(nodes, kinds, strict=True) if kind == TEXT]
        if all(isinstance(node, exp.Literal) and TIME_TEXT.fullmatch(node.name) for node in texts) and not (
            DATE in kinds and any(":" in node.name for node in texts)
        ):
            names -= {"text"}
        if names <= {"date", "time"}:
            return
    if (len(names) > 1 and not names <= {*NUMBER, "decimal"}) or not names <= {*SIMPLE, "decimal"}:
        raise Unsupported(f"comparison of {' and '.join(sorted(names))}")


def one_kind(checker: Checks, nodes: Sequence[exp.Expr], scope: Scope) -> Kind:
    """Kind that several values share; an integer or decimal beside a double counts as a double.

    Raises:
        Unsupported: they have several kinds, or are decimals.
    """
    kinds = {checker.kind(node, scope) for node in nodes} - {NULL}
    if kinds == {INT, DOUBLE} or kinds == {DECIMAL, DOUBLE}:
        return DOUBLE
    if len(kinds) > 1 or DECIMAL in kinds:
        raise Unsupported(f"one value of {' or '.join(sorted(kind.name for kind in kinds))}")
    return kinds.pop() if kinds else NULL


def _compare(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    _comparable(checker, [node.this, node.expression], scope)
    return BOOL


def _between(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    _comparable(checker, [node.this, node.args["low"], node.args["high"]], scope)
    return BOOL


def _in(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if inner := node.args.get("query"):
        query = inner.this if isinstance(inner, exp.Subquery) else inner
        kinds = checker.query(query, scope)
        if len(kinds) != 1 or kinds[0] != checker.kind(node.this, scope):
            raise Unsupported("IN with a subquery of another type")
    elif node.args.get("unnest") or node.args.get("field"):
        raise Unsupported("IN")
    else:
        _comparable(checker, [node.this, *node.expressions], scope)
    return BOOL


def _is(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if not isinstance(node.expression, exp.Null | exp.Boolean):
        raise Unsupported("IS")
    kind = checker.kind(node.this, scope)
    if isinstance(node.expression, exp.Boolean) and kind != BOOL:
        raise Unsupported("IS TRUE on a value that is not a truth value")
    return BOOL


def _like(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    # A backslash escapes only in Spark; statements with one were refused before.
    if checker.kind(node.this, scope) != TEXT or not (
        isinstance(node.expression, exp.Literal) and node.expression.is_string
    ):
        raise Unsupported("LIKE with anything but text and a literal pattern")
    return BOOL


def _exists(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    checker.query(node.this, scope)
    return BOOL


def _same(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    kind = one_kind(checker, [node.this, *node.expressions], scope)
    if not isinstance(node, exp.Coalesce) and kind.name not in _LEAST_KINDS:
        raise Unsupported(f"{node.key.upper()} of {kind.name}")
    return kind


def _case(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    branches, first = node.args["ifs"], node.args.get("this")
    for branch in branches:
        if first is not None:
            _comparable(checker, [first, branch.this], scope)
        elif checker.kind(branch.this, scope) != BOOL:
            raise Unsupported("CASE on a value that is not a truth value")
    values = [branch.args["true"] for branch in branches]
    return one_kind(checker, [*values, *filter(None, [node.args.get("default")])], scope)


def _if(checker: Checks, node: exp.Expr, scope: Scope) -> Kind:
    if checker.kind(node.this, scope) != BOOL:
        raise Unsupported("IF on a value that is not a truth value")
    return one_kind(checker, [node.args["true"], *filter(None, [node.args.get("false")])], scope)


#: By type of expression, what determines its kind.
COMPARING: Final[Mapping[type[exp.Expr], Special]] = {
    **dict.fromkeys(COMPARISONS, _compare),
    exp.Between: _between,
    exp.In: _in,
    exp.Is: _is,
    exp.Like: _like,
    exp.Exists: _exists,
    exp.Coalesce: _same,
    exp.Greatest: _same,
    exp.Least: _same,
    exp.Case: _case,
    exp.If: _if,
}
