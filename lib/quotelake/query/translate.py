"""Translates a statement from Spark's SQL to one for which DuckDB gives the same answer, or raises with the reason."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from quotelake.lake.contracts import table_names
from quotelake.lake.local import Unsupported
from quotelake.query.catalog import view_names
from quotelake.query.checking import Checker
from quotelake.query.errors import UnknownName
from quotelake.query.faults import nearest
from quotelake.query.kinds import BOOL, Kind
from quotelake.query.names import spark_name
from quotelake.query.rules import ALLOWED
from quotelake.query.scope import Columns, Scope, add

#: Columns of a table or view in order, or None if there is none of that name.
ColumnsOf = Callable[[str], Mapping[str, Kind] | None]
_SELECT = {
    "expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "with_",
    "kind", "hint",
}  # fmt: skip
_BEGINNINGS = ("SELECT", "WITH", "FROM", "VALUES", "DESCRIBE", "EXPLAIN")
_FIRST = re.compile(r"\s*+(\w++)")
_JOIN = {"this", "on", "using", "side", "kind", "method"}


@dataclass(frozen=True)
class Translated:
    """A statement for DuckDB.

    Attributes:
        sql: DuckDB's SQL.
        columns: kinds of its columns; None where two share a name.
        reads: tables and views it reads.
    """

    sql: str
    columns: Columns
    reads: frozenset[str]


def translate(statement: str, columns_of: ColumnsOf) -> Translated:
    """Translate a statement that reads tables and views.

    Args:
        statement: one query in Spark's SQL.
        columns_of: gives the columns of a table or view.

    Raises:
        Unsupported: DuckDB is not known to give Spark's answer.
        UnknownName: it names a column that does not exist, or begins with no word of SQL but nearly so.
    """
    _check_beginning(statement)
    if "\\" in statement:  # escapes of texts and patterns
        raise Unsupported("a backslash")
    try:
        parsed = sqlglot.parse(statement, read="spark")
    except (SqlglotError, RecursionError):
        raise Unsupported("its grammar") from None
    if len(parsed) != 1 or not isinstance(parsed[0], exp.Select | exp.Union):
        raise Unsupported("a statement other than one query")
    [tree] = parsed
    assert tree is not None
    for node in tree.walk():
        if type(node) not in ALLOWED:
            raise Unsupported(node.name if isinstance(node, exp.Anonymous) else node.key.upper())
    statement_ = _Statement(columns_of, frozenset(re.findall(r"\w+", statement.lower())))
    try:
        columns = statement_.check(tree, Scope(), named=True)
    except UnknownName as error:
        raise UnknownName(f"the statement failed{_place(statement, error.start)}: {error}") from None
    return Translated(tree.sql(dialect="duckdb", comments=False), columns, frozenset(statement_.reads))


def _check_beginning(statement: str) -> None:
    """Refuse a mistyped first word: starting Spark to hear of it would take seconds."""
    found = _FIRST.match(statement)
    if found is None or found[1].upper() in _BEGINNINGS:
        return
    near = get_close_matches(found[1].upper(), _BEGINNINGS, n=1, cutoff=0.8)  # no other first word of Spark is as near
    if near:
        place = _place(statement, found.start(1))
        raise UnknownName(f"the statement failed{place}: no statement begins with {found[1]}; did you mean {near[0]}?")


def _place(statement: str, start: int | None) -> str:
    """Where an offset of a statement is, as Spark's messages say it; empty if it is not known."""
    if start is None:
        return ""
    before = statement[:start]
    return f" at line {before.count(chr(10)) + 1}, character {start - before.rfind(chr(10))}"


class _Statement:
    def __init__(self, columns_of: ColumnsOf, words: frozenset[str]) -> None:
        self._columns_of = columns_of
        self._words = words
        self._checker = Checker(self._inner)
        self.reads: set[str] = set()

    def _inner(self, query: exp.Expr, scope: Scope) -> list[Kind | None]:
        """Kinds of the columns of a query inside an expression, which may use names of the enclosing statement."""
        return list(self.check(query, Scope(parent=scope, tables=scope.tables), named=False).values())

    def check(self, query: exp.Expr, scope: Scope, *, named: bool) -> Columns:
        """Kinds of the columns of a query; ``scope`` has the names around it, ``named``: its column names matter."""
        if isinstance(query, exp.Subquery) and not query.args.get("alias"):
            return self.check(query.this, scope, named=named)
        self._common_tables(query, scope)
        if isinstance(query, exp.Union):
            return self._union(query, scope, named=named)
        if isinstance(query, exp.Select):
            return self._select(query, scope, named=named)
        raise Unsupported(query.key.upper())

    def _common_tables(self, query: exp.Expr, scope: Scope) -> None:
        with_ = query.args.get("with_")
        if with_ is None:
            return
        if with_.args.get("recursive"):
            raise Unsupported("WITH RECURSIVE")
        for table in with_.expressions:
            if table.args["alias"].columns:
                raise Unsupported("column names after an alias")
            columns = self.check(table.this, Scope(tables=scope.tables), named=True)
            scope.tables = {**scope.tables, table.alias.lower(): columns}

    def _union(self, query: exp.Union, scope: Scope, *, named: bool) -> Columns:
        if query.args.get("by_name") or query.args.get("limit") or query.args.get("offset"):
            raise Unsupported("UNION with LIMIT, OFFSET or BY NAME")
        first, second = (
            self.check(part, Scope(parent=scope.parent, tables=scope.tables), named=named)
            for part in (query.left, query.right)
        )
        if list(first.values()) != list(second.values()) or None in first.values():
            raise Unsupported("UNION of columns of different types")
        if order := query.args.get("order"):
            self._order(order, Scope(sources={"": first}, tables=scope.tables), first)
        return first

    def _select(self, query: exp.Select, scope: Scope, *, named: bool) -> Columns:
        given = {name for name, value in query.args.items() if value not in (None, False, [])}
        if not query.expressions or not given <= _SELECT or query.args.get("kind") or query.args.get("hint"):
            raise Unsupported(f"SELECT with {', '.join(sorted(given - _SELECT)) or 'a hint'}")
        self._sources(query, scope)
        if named:
            _name_columns(query, self._words)
        columns: Columns = {}
        for position, projection in enumerate(query.expressions):
            add(columns, self._projection(projection, scope, position))
            if isinstance(projection, exp.Alias):  # a later column may name an earlier one
                scope.aliases = {**columns}
        if sum(1 for _ in query.find_all(exp.Explode)) > 1:
            raise Unsupported("EXPLODE of two arrays")
        distinct = query.args.get("distinct")
        if distinct is not None and distinct.args.get("on"):
            raise Unsupported("DISTINCT ON")
        self._conditions(query, scope)
        self._grouping(query, scope, columns)
        for part in ("limit", "offset"):
            bound = query.args.get(part)
            if bound is not None and not (isinstance(bound.expression, exp.Literal) and bound.expression.is_int):
                raise Unsupported(f"{part.upper()} with anything but a literal number")
        return columns

    def _conditions(self, query: exp.Select, scope: Scope) -> None:
        plain = Scope(scope.sources, scope.parent, {}, scope.tables)  # WHERE cannot use aliases of its SELECT
        for condition, known in ((query.args.get("where"), plain), (query.args.get("having"), scope)):
            if condition is not None and self._checker.kind(condition.this, known) != BOOL:
                raise Unsupported("a condition that is not a truth value")

    def _grouping(self, query: exp.Select, scope: Scope, columns: Columns) -> None:
        group = query.args.get("group")
        if group is not None:
            extra = {name for name, value in group.args.items() if value} - {"expressions", "all"}
            if extra:
                raise Unsupported(f"GROUP BY {', '.join(sorted(extra))}")
            for part in group.expressions:
                self._checker.kind(part, scope)
        if order := query.args.get("order"):
            self._order(order, scope, columns)

    def _order(self, order: exp.Expr, scope: Scope, columns: Columns) -> None:
        for part in order.expressions:
            if part.args.get("with_fill"):
                raise Unsupported("ORDER BY")
            if isinstance(part.this, exp.Column) and part.this.name.lower() == "all" and "all" not in columns:
                raise Unsupported("ORDER BY ALL")
            self._checker.kind(part.this, scope)

    def _sources(self, query: exp.Select, scope: Scope) -> None:
        from_ = query.args.get("from_")
        tables = [] if from_ is None else [from_.this]
        for join in query.args.get("joins") or ():
            given = {name for name, value in join.args.items() if value not in (None, False, [])}
            if not given <= _JOIN or join.args.get("method"):
                raise Unsupported("JOIN " + ", ".join(sorted(given - _JOIN)))
            tables.append(join.this)
        hidden: set[str] = set()  # the right side of a semi or anti join is visible in its condition only
        for position, table in enumerate(tables):
            name, columns = self._source(table, scope)
            if name in scope.sources:
                raise Unsupported(f"two sources named {name}")
            scope.sources[name] = columns
            if position:
                join = query.args["joins"][position - 1]
                self._join(join, scope)
                if str(join.args.get("kind", "")).upper() in ("SEMI", "ANTI"):
                    hidden.add(name)
        for name in hidden:
            del scope.sources[name]

    def _join(self, join: exp.Expr, scope: Scope) -> None:
        if using := join.args.get("using"):
            if str(join.args.get("side") or "").upper() not in ("", "LEFT"):
                raise Unsupported("USING in a right or full join")
            for column in using:
                scope.kind([column.name.lower()])
        if (on := join.args.get("on")) is not None and self._checker.kind(on, scope) != BOOL:
            raise Unsupported("a join on a value that is not a truth value")

    def _source(self, table: exp.Expr, scope: Scope) -> tuple[str, Columns]:
        alias = table.args.get("alias")
        if alias is not None and alias.columns:
            raise Unsupported("column names after an alias")
        if isinstance(table, exp.Subquery):
            given = {name for name, value in table.args.items() if value not in (None, False, [])}
            if not given <= {"this", "alias"}:
                raise Unsupported("a subquery with further clauses")
            # Without an alias it cannot be named; its position makes the key unique.
            name = table.alias.lower() or f"<{len(scope.sources)}>"
            return name, self.check(table.this, Scope(tables=scope.tables), named=True)
        given = {name for name, value in table.args.items() if value not in (None, False, [])}
        plain = isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier)
        if not plain or not given <= {"this", "alias"}:
            raise Unsupported(f"{table.sql('spark')} as a table")
        name = table.name.lower()
        columns = scope.tables.get(name)
        if columns is None:
            known = self._columns_of(name)
            if known is None:
                there = [*table_names(), *view_names()]
                raise Unsupported(f"{table.name}, which is no table or view of a lake; {nearest(name, there)}")
            self.reads.add(name)
            columns = dict(known)
        return table.alias_or_name.lower(), columns

    def _projection(self, projection: exp.Expr, scope: Scope, position: int) -> Columns:
        star = projection.this if isinstance(projection, exp.Column) else projection
        if isinstance(star, exp.Star):
            if star.args.get("replace") or star.args.get("rename"):
                raise Unsupported("* REPLACE")
            joins = projection.parent_select.args.get("joins") if projection.parent_select else None
            if any(join.args.get("using") for join in joins or ()):  # Spark puts the shared columns first
                raise Unsupported("* of a join with USING")
            source = projection.table.lower() if isinstance(projection, exp.Column) else None
            if source is not None and source not in scope.sources:
                raise Unsupported(f"{source}.*")
            left_out = {column.name.lower() for column in star.args.get("except_") or ()}
            return {name: kind for name, kind in scope.all(source).items() if name not in left_out}
        return {(projection.alias_or_name or f"<{position}>").lower(): self._checker.kind(projection, scope)}


def _name_columns(query: exp.Select, words: frozenset[str]) -> None:
    """Give columns without a name the name that Spark gives them, so that both answers have the same names."""
    for projection in query.expressions:
        if isinstance(projection, exp.Alias | exp.Star) or projection.is_star:
            continue
        name = spark_name(projection, words)
        if not isinstance(projection, exp.Column) or name != name.lower() or len(projection.parts) > 1:
            projection.replace(exp.alias_(projection.copy(), name, quoted=True))
