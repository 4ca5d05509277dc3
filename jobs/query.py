"""Ask a lake in SQL: tables and views as the last complete run left them."""

import argparse
import csv
import json
import sys

from quotelake.embeddings.embed import register_embed_text
from quotelake.errors import InputError
from quotelake.jobs import open_lake, run_job
from quotelake.reporting.console import make_console, make_table
from quotelake.versions import active
from quotelake.views import register


def main() -> None:
    """Run one statement and print its rows."""
    parser = argparse.ArgumentParser(prog="query.py", description=__doc__)
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    parser.add_argument("sql", help='a statement, such as "SELECT * FROM headline_alerts"')
    parser.add_argument("--format", choices=("table", "csv", "json"), default="table")
    arguments = parser.parse_args()
    lake = open_lake("query", arguments.lake)
    register(lake)
    versions = active(lake)
    if versions is not None:
        register_embed_text(lake.spark, versions.model, versions.dtype)  # SELECT embed_text(headline) FROM documents
    try:
        result = lake.spark.sql(arguments.sql)
        names, rows = result.columns, [row.asDict(recursive=True) for row in result.collect()]
    except Exception as error:
        raise InputError(f"the statement failed: {str(error).splitlines()[0]}") from None
    if arguments.format == "json":
        print(json.dumps(rows, ensure_ascii=False, indent=2, default=str))
    elif arguments.format == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(names)
        writer.writerows([row[name] for name in names] for row in rows)
    else:
        make_console().print(make_table(None, names, rows))


if __name__ == "__main__":
    run_job(main)
