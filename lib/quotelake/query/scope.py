"""Names in a part of a statement (sources, aliases, parameters), and the names of the statements around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from quotelake.lake.local import Unsupported
from quotelake.query.errors import UnknownName
from quotelake.query.faults import nearest
from quotelake.query.kinds import Kind

#: Columns of a source by name; None: two columns of this name have different kinds.
Columns = dict[str, Kind | None]
#: Names that Spark resolves without a source.
_WITHOUT_SOURCE = frozenset(
    {"current_date", "current_timestamp", "current_user", "current_time", "localtimestamp", "user", "session_user",
     "grouping__id", "_metadata"}
)  # fmt: skip


@dataclass
class Scope:
    """Names of one SELECT.

    Attributes:
        sources: columns of each table, view or subquery, by its alias.
        parent: names of the enclosing statement, which a subquery may use too.
        aliases: columns of the SELECT itself, where they may be used.
        tables: visible common table expressions, by name.
    """

    sources: dict[str, Columns] = field(default_factory=dict)
    parent: Scope | None = None
    aliases: Columns = field(default_factory=dict)
    tables: Mapping[str, Columns] = field(default_factory=dict)

    def kind(self, parts: list[str]) -> Kind:
        """Kind of a column, given its name in parts: source, column, fields of a struct.

        Raises:
            UnknownName: there is no such column.
            Unsupported: several columns of this name have different kinds.
        """
        scope: Scope | None = self
        while scope is not None:
            columns = scope.sources.get(parts[0]) if len(parts) > 1 else None
            if columns is not None and parts[1] in columns:
                return _field(columns[parts[1]], parts[2:])
            for columns in (*scope.sources.values(), scope.aliases):
                if parts[0] in columns:
                    return _field(columns[parts[0]], parts[1:])
            scope = scope.parent
        if _WITHOUT_SOURCE & set(parts):
            raise Unsupported(".".join(parts))
        columns = self.sources.get(parts[0]) if len(parts) > 1 else None
        known = columns or {name: None for columns in self.sources.values() for name in columns}
        raise UnknownName(f"no column {'.'.join(parts)}; {nearest(parts[-1] if columns else parts[0], [*known])}")

    def all(self, source: str | None = None) -> Columns:
        """Columns that a star stands for."""
        found: Columns = {}
        for columns in self.sources.values() if source is None else [self.sources[source]]:
            add(found, columns)
        return found


def add(to: Columns, columns: Mapping[str, Kind | None]) -> None:
    """Add columns; a name of two columns of different kinds gets the kind None."""
    for name, kind in columns.items():
        to[name] = kind if to.get(name, kind) == kind else None


def parts_of(column: exp.Column) -> list[str]:
    """Name of a column in parts, in lower case as Spark compares them."""
    return [part.name.lower() for part in column.parts]


def _field(kind: Kind | None, fields: list[str]) -> Kind:
    for name in fields:
        if kind is None or kind.name != "struct":
            raise Unsupported(f"field {name} of a value that is not a struct")
        if name not in kind.fields:
            raise UnknownName(f"no field {name}; {nearest(name, [*kind.fields])}")
        kind = kind.fields[name]
    if kind is None:
        raise Unsupported("a name of two columns of different types")
    return kind
