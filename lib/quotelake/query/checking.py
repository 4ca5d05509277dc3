"""Determines the kinds of expressions by the allowlist, and replaces those that DuckDB needs in another form."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from sqlglot import exp

from quotelake.lake.local import Unsupported
from quotelake.query.comparing import COMPARING
from quotelake.query.kinds import DECIMAL, DOUBLE, INT, NULL, Kind
from quotelake.query.over_rows import OVER_ROWS
from quotelake.query.rules import BY_NODE, Rule
from quotelake.query.scope import Scope
from quotelake.query.special import Special
from quotelake.query.values import VALUES

#: Checks a query inside an expression: returns the kinds of its columns.
Query = Callable[[exp.Expr, Scope], Sequence[Kind | None]]
_SPECIAL: Final[Mapping[type[exp.Expr], Special]] = {**COMPARING, **VALUES, **OVER_ROWS}


class Checker:
    """Walks expressions bottom-up; replaces in place those for which DuckDB would give another value.

    Args:
        query: checks a statement inside an expression and returns the kinds of its columns.
    """

    def __init__(self, query: Query) -> None:
        self._query = query

    def kind(self, node: exp.Expr, scope: Scope) -> Kind:
        """Kind of an expression.

        Raises:
            Unsupported: the allowlist does not hold it, or not for values of these kinds.
        """
        if rule := BY_NODE.get(type(node)):
            return self._by_rule(node, rule, scope)
        if special := _SPECIAL.get(type(node)):
            return special(self, node, scope)
        raise Unsupported(node.name if isinstance(node, exp.Var) else node.key.upper())

    def query(self, node: exp.Expr, scope: Scope) -> Sequence[Kind | None]:
        """Kinds of the columns of a statement inside an expression."""
        return self._query(node, scope)

    def _by_rule(self, node: exp.Expr, rule: Rule, scope: Scope) -> Kind:
        given = {name for name, value in node.args.items() if value not in (None, False, [])}
        if not given <= {*rule.takes, *rule.flags}:
            raise Unsupported(f"{node.key.upper()} with {', '.join(sorted(given - set(rule.takes)))}")
        kinds = {name: self.kind(node.args[name], scope) for name in rule.takes if name in given}
        if (kinds.get("this") == DOUBLE and kinds.get("expression") == DECIMAL) or (
            kinds.get("this") == DECIMAL and kinds.get("expression") == DOUBLE
        ):  # Spark converts a decimal to a double if the other side is one
            kinds = {name: DOUBLE for name in kinds}
        for name, kind in kinds.items():
            if kind.name not in {*rule.takes[name], "null"}:
                raise Unsupported(f"{node.key.upper()} of {kind.name}")
        arithmetic = isinstance(node, exp.Add | exp.Sub | exp.Mul)
        whole = arithmetic and set(kinds.values()) <= {INT, NULL}
        gives = INT if whole else rule.gives or next(iter(kinds.values()))
        if rule.to is not None:
            arguments = [node.args[name] for name in rule.takes if name in given]
            if isinstance(node, exp.Substring) and len(arguments) == 2:
                arguments.append(exp.Literal.number(2**31 - 1))
            node.replace(exp.Anonymous(this=rule.to, expressions=[argument.copy() for argument in arguments]))
        return gives
