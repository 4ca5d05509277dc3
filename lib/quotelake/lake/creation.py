"""Making the tables of a lake, and holding the columns it has against those of the contracts."""

import json
import re
from functools import partial

from pyspark.sql import SparkSession

from quotelake.errors import ContractError
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.damage import CONTRACTS, commits_of, contracts_noted
from quotelake.lake.files import Files
from quotelake.lake.place import path_in
from quotelake.spark.together import together
from quotelake.text.ids import content_id

_CONSTRAINT = re.compile(r"'delta\.constraints\.(\w+)' = '((?:[^']|'')*)'")


def create_tables(spark: SparkSession, root: str, storage: Files) -> None:
    """Create the tables that are not there yet, add the columns that contracts gained since, and renew constraints.

    What was done is noted in a file of the lake, so that a run on a lake that is up to date asks no table for its
    columns.

    Args:
        spark: session with Delta.
        root: directory or address of the lake.
        storage: that of the lake.

    Raises:
        ContractError: a column is missing that must not be NULL, so no row of the lake can have it.
    """
    made = {table: content_id(contract(table).statement) for table in table_names()}
    noted = contracts_noted(storage) or {}
    there = {table for table in table_names() if commits_of(storage, table)}
    waiting = [table for table in made if noted.get(table) != made[table] or table not in there]
    if waiting:
        together(*(partial(_add_columns if table in there else _create, spark, root, table) for table in waiting))
        storage.write(CONTRACTS, json.dumps(made, indent=1))


def unknown_columns(spark: SparkSession, root: str, storage: Files) -> list[str]:
    """Columns of tables that no contract of this release knows: a newer release wrote them."""
    known = {(table, column.name) for table in table_names() for column in contract(table).columns}
    tables = [table for table in table_names() if commits_of(storage, table)]
    there = [(table, name) for table in tables for name in _columns_of(spark, root, table)]
    return [f"{table}.{name}" for table, name in there if (table, name) not in known]


def _create(spark: SparkSession, root: str, table: str) -> None:
    head = f"CREATE TABLE IF NOT EXISTS delta.`{path_in(root, table)}`"
    spark.sql(contract(table).statement.replace(f"CREATE TABLE {table}", head, 1))


def _add_columns(spark: SparkSession, root: str, table: str) -> None:
    """Older rows are NULL there; rows of the version of the rules that fills it are written beside them."""
    there = _columns_of(spark, root, table)
    missing = [column for column in contract(table).columns if column.name not in there]
    required = [column.name for column in missing if not column.nullable]
    if required:
        raise ContractError(
            f"{table} in {root} was made by an older contract, without [{', '.join(required)}]: "
            "score the corpus into a new lake"
        )
    if missing:
        added = ", ".join(f"{column.name} {column.type} COMMENT '{column.comment}'" for column in missing)
        spark.sql(f"ALTER TABLE delta.`{path_in(root, table)}` ADD COLUMNS ({added})")
    _renew_constraints(spark, root, table)


def _renew_constraints(spark: SparkSession, root: str, table: str) -> None:
    """Replace the constraints that the contract states otherwise now, such as a list of values that has grown."""
    place = f"delta.`{path_in(root, table)}`"
    there = {row["key"]: row["value"] for row in spark.sql(f"SHOW TBLPROPERTIES {place}").collect()}
    for name, check in _CONSTRAINT.findall(contract(table).statement):
        wanted = check.replace("''", "'")
        if there.get(f"delta.constraints.{name}") != wanted:
            spark.sql(f"ALTER TABLE {place} DROP CONSTRAINT IF EXISTS {name}")
            spark.sql(f"ALTER TABLE {place} ADD CONSTRAINT {name} CHECK ({wanted})")


def _columns_of(spark: SparkSession, root: str, table: str) -> list[str]:
    return spark.read.format("delta").load(path_in(root, table)).columns
