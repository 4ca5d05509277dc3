"""Spark's name for a column of an answer that the statement does not name."""

from collections.abc import Iterable
from typing import Final

from sqlglot import exp

from quotelake.lake.local import Unsupported

#: Functions whose columns Spark names ``name(arguments)``, and synonyms, which Spark would use as the name.
_CALLS: Final[dict[type[exp.Expr], tuple[str, tuple[str, ...]]]] = {
    exp.Avg: ("avg", ()),
    exp.Sum: ("sum", ()),
    exp.Min: ("min", ()),
    exp.Max: ("max", ()),
    exp.CountIf: ("count_if", ()),
    exp.ArraySize: ("size", ("cardinality",)),
    exp.Upper: ("upper", ("ucase",)),
    exp.Lower: ("lower", ("lcase",)),
    exp.Length: ("length", ("len", "char_length", "character_length")),
    exp.Coalesce: ("coalesce", ("nvl", "ifnull")),
    exp.Round: ("round", ()),
}
_SIGNS: Final[dict[type[exp.Expr], str]] = {
    exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%", exp.EQ: "=", exp.GT: ">", exp.GTE: ">=",
    exp.LT: "<", exp.LTE: "<=",
}  # fmt: skip


def spark_name(node: exp.Expr, words: frozenset[str]) -> str:
    """Name of a column of an answer.

    Args:
        node: its expression, as parsed.
        words: words of the statement in lower case; if a synonym is among them, the function called is uncertain.

    Raises:
        Unsupported: Spark's name is not known.

    >>> from sqlglot import parse_one
    >>> spark_name(parse_one("count(DISTINCT q.outlet)", read="spark"), frozenset())
    'count(DISTINCT outlet)'
    >>> spark_name(parse_one("sum(n) / count(*)", read="spark"), frozenset())
    '(sum(n) / count(1))'
    """
    if isinstance(node, exp.Column):
        return str(node.name)
    if isinstance(node, exp.Paren):
        return spark_name(node.this, words)
    if isinstance(node, exp.Literal) and (node.is_string or node.is_int):
        return str(node.this)
    if isinstance(node, exp.Count):
        return _count(node, words)
    if sign := _SIGNS.get(type(node)):
        return f"({spark_name(node.this, words)} {sign} {spark_name(node.expression, words)})"
    if type(node) in _CALLS:
        name, synonyms = _CALLS[type(node)]
        if not words & set(synonyms):
            return f"{name}({_joined(_arguments(node), words)})"
    raise Unsupported(f"Spark's name for the column {node.sql('spark')}: give it one with AS")


def _count(node: exp.Count, words: frozenset[str]) -> str:
    if isinstance(node.this, exp.Star):
        return "count(1)"
    if isinstance(node.this, exp.Distinct):
        return f"count(DISTINCT {_joined(node.this.expressions, words)})"
    return f"count({spark_name(node.this, words)})"


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    return [part for value in node.args.values() for part in (value if isinstance(value, list) else [value])
            if isinstance(part, exp.Expr)]  # fmt: skip


def _joined(nodes: Iterable[exp.Expr], words: frozenset[str]) -> str:
    # Spark names a struct's field with the struct inside a call, but without it as a column.
    if any(isinstance(node, exp.Column) and len(node.parts) > 2 for node in nodes):
        raise Unsupported("Spark's name for a call on a field of a struct: give it one with AS")
    return ", ".join(spark_name(node, words) for node in nodes)
