"""What determines the kind of a special expression, and what it may ask about the expressions inside it."""

from collections.abc import Callable, Sequence
from typing import Protocol

from sqlglot import exp

from quotelake.query.kinds import Kind
from quotelake.query.scope import Scope


class Checks(Protocol):
    """Determines kinds, as :class:`quotelake.query.checking.Checker` does."""

    def kind(self, node: exp.Expr, scope: Scope) -> Kind:
        """Kind of an expression."""

    def query(self, node: exp.Expr, scope: Scope) -> Sequence[Kind | None]:
        """Kinds of the columns of a statement inside an expression; None: two columns share the name."""


#: Determines the kind of an expression of one type, and replaces it where DuckDB needs another form.
Special = Callable[[Checks, exp.Expr, Scope], Kind]
