"""Determines the kinds of expressions by the allowlist, and replaces those that DuckDB needs in another form."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from sqlglot import exp

from quotelake.reading.errors import UnknownName, Unsupported
from quotelake.reading.kinds import BOOL, DATE, DECIMAL, DOUBLE, INT, NULL, TEXT, TIME, Kind, kind_of
from quotelake.reading.rules import BY_NODE, COMPARISONS, NUMBER, SIMPLE, Rule
from quotelake.reading.scope import Scope, parts_of

#: Checks a query inside an expression: returns the kinds of its columns.
Query = Callable[[exp.Expr, Scope], Sequence[Kind | None]]
_TIME_TEXT: Final = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?")
_UNITS: Final = frozenset({"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR"})
#: Casts for which both engines give the same value: from, to.
_CASTS: Final = {("int", "double"), ("int", "text"), ("bool", "text"), ("date", "text"), ("time", "date"),
                 ("date", "time")}  # fmt: skip
_LEAST_KINDS: Final = frozenset(kind for kind in SIMPLE if kind != "bool")


class Checker:
    """Walks expressions bottom-up; replaces in place those for which DuckDB would give another value.

    Args:
        query: checks a statement inside an expression and returns the kinds of its columns.
    """

    def __init__(self, query: Query) -> None:
        self._query = query
        self._special: dict[type[exp.Expr], Callable[[exp.Expr, Scope], Kind]] = {
            exp.Alias: self._inner, exp.Paren: self._inner, exp.Filter: self._filter, exp.Window: self._window,
            exp.Column: self._column, exp.Dot: self._dot, exp.Literal: self._literal, exp.Null: lambda n, s: NULL,
            exp.Boolean: lambda n, s: BOOL, exp.Cast: self._cast, exp.TryCast: self._cast, exp.Array: self._array,
            exp.Struct: self._struct, exp.Bracket: self._bracket, exp.Case: self._case, exp.If: self._if,
            exp.Coalesce: self._same, exp.Greatest: self._same, exp.Least: self._same, exp.Concat: self._concat,
            exp.Between: self._between, exp.In: self._in, exp.Is: self._is, exp.Like: self._like,
            exp.Exists: self._exists, exp.Subquery: self._scalar, exp.Count: self._count,
            exp.CountIf: self._count_if, exp.ArrayAgg: self._collect,
            exp.ArraySort: self._sorted, exp.Explode: self._explode, exp.Round: self._round,
            exp.TimestampTrunc: self._truncate, exp.Transform: self._transform,
        }  # fmt: skip

    def kind(self, node: exp.Expr, scope: Scope) -> Kind:
        """Kind of an expression.

        Raises:
            Unsupported: the allowlist does not hold it, or not for values of these kinds.
        """
        if isinstance(node, COMPARISONS):
            return self._compare(node, scope)
        if rule := BY_NODE.get(type(node)):
            return self._by_rule(node, rule, scope)
        if special := self._special.get(type(node)):
            return special(node, scope)
        raise Unsupported(node.name if isinstance(node, exp.Var) else node.key.upper())

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

    def _inner(self, node: exp.Expr, scope: Scope) -> Kind:
        return self.kind(node.this, scope)

    def _column(self, node: exp.Expr, scope: Scope) -> Kind:
        assert isinstance(node, exp.Column)
        try:
            return scope.kind(parts_of(node))
        except UnknownName as error:
            error.start = node.parts[0].meta.get("start")
            raise

    def _dot(self, node: exp.Expr, scope: Scope) -> Kind:
        if isinstance(node.this, exp.Identifier):  # the parameter of a lambda
            return scope.kind([node.this.name.lower(), node.expression.name.lower()])
        kind = self.kind(node.this, scope)
        if kind.name != "struct" or node.expression.name.lower() not in kind.fields:
            raise Unsupported("a field of a value that is not a struct")
        return kind.fields[node.expression.name.lower()]

    def _literal(self, node: exp.Expr, scope: Scope) -> Kind:
        if node.is_string:
            return TEXT
        if node.is_int:
            return INT
        return DOUBLE if "e" in str(node.this).lower() else DECIMAL

    def _cast(self, node: exp.Expr, scope: Scope) -> Kind:
        to = kind_of(node.args["to"])
        if to is None:
            raise Unsupported(f"CAST AS {node.args['to'].sql('spark')}")
        if isinstance(node.this, exp.Literal) and not node.this.is_string and to in (DOUBLE, INT):
            exact = node.this.is_int or to == DOUBLE
            if exact and node.args["to"].is_type("double", "bigint", "int"):
                return to
            raise Unsupported("CAST of a number in the statement")
        if isinstance(node.this, exp.Literal) and to in (DATE, TIME) and _TIME_TEXT.fullmatch(node.this.name):
            pass
        elif (self.kind(node.this, scope).name, to.name) not in _CASTS:
            raise Unsupported(f"CAST AS {node.args['to'].sql('spark')}")
        if to == TIME:  # times are in UTC without a time zone, as Spark returns them to Python
            node.set("to", exp.DataType.build("TIMESTAMP", dialect="duckdb"))
        return to

    def _compare(self, node: exp.Expr, scope: Scope) -> Kind:
        self._comparable([node.this, node.expression], scope)
        return BOOL

    def _comparable(self, nodes: Sequence[exp.Expr], scope: Scope) -> None:
        """Check that values have one kind, or are all numbers, or times with dates and with text that is a time."""
        kinds = [self.kind(node, scope) for node in nodes]
        names = {kind.name for kind in kinds} - {"null"}
        if names & {"date", "time"}:
            texts = [node for node, kind in zip(nodes, kinds, strict=True) if kind == TEXT]
            if all(isinstance(node, exp.Literal) and _TIME_TEXT.fullmatch(node.name) for node in texts) and not (
                DATE in kinds and any(":" in node.name for node in texts)
            ):
                names -= {"text"}
            if names <= {"date", "time"}:
                return
        if (len(names) > 1 and not names <= {*NUMBER, "decimal"}) or not names <= {*SIMPLE, "decimal"}:
            raise Unsupported(f"comparison of {' and '.join(sorted(names))}")

    def _between(self, node: exp.Expr, scope: Scope) -> Kind:
        self._comparable([node.this, node.args["low"], node.args["high"]], scope)
        return BOOL

    def _in(self, node: exp.Expr, scope: Scope) -> Kind:
        if inner := node.args.get("query"):
            query = inner.this if isinstance(inner, exp.Subquery) else inner
            kinds = self._query(query, scope)
            if len(kinds) != 1 or kinds[0] != self.kind(node.this, scope):
                raise Unsupported("IN with a subquery of another type")
        elif node.args.get("unnest") or node.args.get("field"):
            raise Unsupported("IN")
        else:
            self._comparable([node.this, *node.expressions], scope)
        return BOOL

    def _is(self, node: exp.Expr, scope: Scope) -> Kind:
        if not isinstance(node.expression, exp.Null | exp.Boolean):
            raise Unsupported("IS")
        kind = self.kind(node.this, scope)
        if isinstance(node.expression, exp.Boolean) and kind != BOOL:
            raise Unsupported("IS TRUE on a value that is not a truth value")
        return BOOL

    def _like(self, node: exp.Expr, scope: Scope) -> Kind:
        # A backslash escapes only in Spark; statements with one were refused before.
        if self.kind(node.this, scope) != TEXT or not (
            isinstance(node.expression, exp.Literal) and node.expression.is_string
        ):
            raise Unsupported("LIKE with anything but text and a literal pattern")
        return BOOL

    def _exists(self, node: exp.Expr, scope: Scope) -> Kind:
        self._query(node.this, scope)
        return BOOL

    def _scalar(self, node: exp.Expr, scope: Scope) -> Kind:
        kinds = self._query(node.this, scope)
        if len(kinds) != 1 or kinds[0] is None:
            raise Unsupported("a subquery of several columns as a value")
        return kinds[0]

    def _one_kind(self, nodes: Sequence[exp.Expr], scope: Scope) -> Kind:
        """Kind that several values share; an integer or decimal beside a double counts as a double."""
        kinds = {self.kind(node, scope) for node in nodes} - {NULL}
        if kinds == {INT, DOUBLE} or kinds == {DECIMAL, DOUBLE}:
            return DOUBLE
        if len(kinds) > 1 or DECIMAL in kinds:
            raise Unsupported(f"one value of {' or '.join(sorted(kind.name for kind in kinds))}")
        return kinds.pop() if kinds else NULL

    def _same(self, node: exp.Expr, scope: Scope) -> Kind:
        kind = self._one_kind([node.this, *node.expressions], scope)
        if not isinstance(node, exp.Coalesce) and kind.name not in _LEAST_KINDS:
            raise Unsupported(f"{node.key.upper()} of {kind.name}")
        return kind

    def _case(self, node: exp.Expr, scope: Scope) -> Kind:
        branches, first = node.args["ifs"], node.args.get("this")
        for branch in branches:
            if first is not None:
                self._comparable([first, branch.this], scope)
            elif self.kind(branch.this, scope) != BOOL:
                raise Unsupported("CASE on a value that is not a truth value")
        values = [branch.args["true"] for branch in branches]
        return self._one_kind([*values, *filter(None, [node.args.get("default")])], scope)

    def _if(self, node: exp.Expr, scope: Scope) -> Kind:
        if self.kind(node.this, scope) != BOOL:
            raise Unsupported("IF on a value that is not a truth value")
        return self._one_kind([node.args["true"], *filter(None, [node.args.get("false")])], scope)

    def _concat(self, node: exp.Expr, scope: Scope) -> Kind:
        if {self.kind(part, scope) for part in node.expressions} - {TEXT, NULL}:
            raise Unsupported("CONCAT of a value that is not text")
        return TEXT

    def _array(self, node: exp.Expr, scope: Scope) -> Kind:
        return Kind("array", of=self._one_kind(node.expressions, scope))

    def _struct(self, node: exp.Expr, scope: Scope) -> Kind:
        if not all(isinstance(part, exp.PropertyEQ) for part in node.expressions):
            raise Unsupported("STRUCT with a field without a name")
        return Kind(
            "struct", fields={part.name.lower(): self.kind(part.expression, scope) for part in node.expressions}
        )

    def _bracket(self, node: exp.Expr, scope: Scope) -> Kind:
        kind = self.kind(node.this, scope)
        [key] = node.expressions if len(node.expressions) == 1 else [None]
        if kind.name != "map" or kind.of is None or not (isinstance(key, exp.Literal) and key.is_string):
            raise Unsupported("an element of an array")
        return kind.of

    def _filter(self, node: exp.Expr, scope: Scope) -> Kind:
        if self.kind(node.expression.this, scope) != BOOL:
            raise Unsupported("FILTER on a value that is not a truth value")
        return self.kind(node.this, scope)

    def _window(self, node: exp.Expr, scope: Scope) -> Kind:
        spec = node.args.get("spec")
        if spec is not None and str(spec.args.get("kind")).upper() != "ROWS":
            raise Unsupported("a window over a range")
        for part in node.args.get("partition_by") or ():
            self.kind(part, scope)
        order = node.args.get("order")
        for part in order.expressions if order is not None else ():
            self.kind(part.this, scope)
        return self.kind(node.this, scope)

    def _count(self, node: exp.Expr, scope: Scope) -> Kind:
        counted = node.this.expressions if isinstance(node.this, exp.Distinct) else [node.this, *node.expressions]
        if len(counted) != 1:  # Spark ignores rows in which any of them is NULL
            raise Unsupported("COUNT of several expressions")
        if not isinstance(counted[0], exp.Star):
            self.kind(counted[0], scope)
        return INT

    def _count_if(self, node: exp.Expr, scope: Scope) -> Kind:
        if self.kind(node.this, scope) != BOOL:
            raise Unsupported("COUNT_IF of a value that is not a truth value")
        # DuckDB's count_if is NULL where there is nothing to count.
        one = exp.Case(ifs=[exp.If(this=node.this.copy(), true=exp.Literal.number(1))])
        node.replace(exp.Count(this=one))
        return INT

    def _collect(self, node: exp.Expr, scope: Scope) -> Kind:
        # The order of the rows is undefined: answers are equal only where it does not matter.
        if not isinstance(node.parent, exp.ArraySort | exp.ArraySize) or isinstance(node.this, exp.Order):
            raise Unsupported("collect_list outside sort_array and size")
        kind = Kind("array", of=self.kind(node.this, scope))
        collected = exp.Anonymous(this="list", expressions=[node.this.copy()])
        node.replace(exp.Anonymous(this="spark_collected", expressions=[collected]))
        return kind

    def _sorted(self, node: exp.Expr, scope: Scope) -> Kind:
        inner = node.this
        if (node.expression is not None and node.args.get("expression")) or not isinstance(inner, exp.ArrayAgg):
            raise Unsupported("sort_array of anything but collect_list, or descending")
        kind = self.kind(inner, scope)
        node.replace(exp.Anonymous(this="list_sort", expressions=[node.this.copy()]))
        return kind

    def _explode(self, node: exp.Expr, scope: Scope) -> Kind:
        parent = node.parent
        if not (isinstance(parent, exp.Alias) and isinstance(parent.parent, exp.Select)):
            raise Unsupported("EXPLODE other than as a column with a name")
        kind = self.kind(node.this, scope)
        if kind.name != "array" or kind.of is None:
            raise Unsupported("EXPLODE of a value that is not an array")
        return kind.of

    def _round(self, node: exp.Expr, scope: Scope) -> Kind:
        places = node.args.get("decimals")
        known = places is None or (isinstance(places, exp.Literal) and places.is_int and int(places.name) <= 10)
        if self.kind(node.this, scope) != DOUBLE or not known or node.args.get("truncate"):
            raise Unsupported("ROUND other than of a double to at most 10 places")
        name = f"spark_round_{places.name if places is not None else 0}"
        node.replace(exp.Anonymous(this=name, expressions=[node.this.copy()]))
        return DOUBLE

    def _truncate(self, node: exp.Expr, scope: Scope) -> Kind:
        unit = node.args["unit"].name.upper()
        if unit not in _UNITS or self.kind(node.this, scope) not in (DATE, TIME) or node.args.get("zone"):
            raise Unsupported(f"DATE_TRUNC to {unit}")
        node.replace(
            exp.Anonymous(this="spark_first_day", expressions=[exp.Literal.string(unit.lower()), node.this.copy()])
        )
        return TIME

    def _transform(self, node: exp.Expr, scope: Scope) -> Kind:
        kind, function = self.kind(node.this, scope), node.expression
        if kind.name != "array" or not isinstance(function, exp.Lambda) or len(function.expressions) != 1:
            raise Unsupported("TRANSFORM")
        name = function.expressions[0].name.lower()
        inner = Scope(sources={"": {name: kind.of}}, parent=scope, tables=scope.tables)
        return Kind("array", of=self.kind(function.this, inner))
