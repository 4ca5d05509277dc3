"""Kinds of values: groups of types that the rules treat alike, because Spark and DuckDB do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from quotelake.lake.contracts import contract

_NAMES = {
    "TINYINT": "int", "SMALLINT": "int", "INT": "int", "BIGINT": "int", "FLOAT": "double", "DOUBLE": "double",
    "TEXT": "text", "VARCHAR": "text", "BOOLEAN": "bool", "DATE": "date", "TIMESTAMP": "time", "TIMESTAMPTZ": "time",
    "TIMESTAMPLTZ": "time", "ARRAY": "array", "STRUCT": "struct", "MAP": "map",
}  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """Kind of a value: int, double, decimal, text, bool, date, time, array, struct, map or null.

    Attributes:
        name: one of these.
        of: kind of the elements of an array, or of the values of a map.
        fields: kinds of the fields of a struct, by their name.
    """

    name: str
    of: Kind | None = None
    fields: Mapping[str, Kind] = field(default_factory=dict, hash=False)


INT, DOUBLE, DECIMAL = Kind("int"), Kind("double"), Kind("decimal")
TEXT, BOOL, DATE, TIME, NULL = Kind("text"), Kind("bool"), Kind("date"), Kind("time"), Kind("null")


def kind_of(type_: exp.DataType) -> Kind | None:
    """Kind of a type, or None if no rule covers it.

    >>> kind_of(exp.DataType.build("ARRAY<STRUCT<start: INT>>", dialect="spark")).of.fields["start"].name
    'int'
    """
    name = _NAMES.get(type_.this.value if isinstance(type_.this, exp.DType) else str(type_.this))
    if name is None:
        return None
    if name == "struct":
        fields = {part.name: kind_of(part.args["kind"]) for part in type_.expressions}
        known = {part: kind for part, kind in fields.items() if kind is not None}
        return Kind(name, fields=known) if len(known) == len(fields) else None
    inner = [kind_of(part) for part in type_.expressions if isinstance(part, exp.DataType)]
    return Kind(name, of=inner[-1] if inner else None)


def kind_of_ddl(spark_type: str) -> Kind:
    """Kind of a column of a contract.

    Raises:
        ValueError: its type has no kind.
    """
    found = kind_of(exp.DataType.build(spark_type, dialect="spark"))
    if found is None:
        raise ValueError(f"type {spark_type} has no kind: see quotelake.query.kinds")
    return found


def table_columns(table: str) -> dict[str, Kind]:
    """Kinds of the columns of a table, by its contract."""
    return {column.name: kind_of_ddl(column.type) for column in contract(table).columns}
