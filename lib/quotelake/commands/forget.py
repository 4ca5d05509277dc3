"""Forget documents: take them out of every table, as if they had never come, and keep them out.

{command} --lake DIR --ids FILE      documents by doc_id, or articles and tweets by native id; one a line
{command} --lake DIR --author NAME   all that the author of tweets wrote, and will write
{command} --lake DIR --url URL …     articles and tweets by address

What the tables held on earlier nights can no longer be read afterwards. --dry-run says what would go.
"""

from argparse import Namespace

from quotelake.commands.lake_access import lake_engine
from quotelake.commands.options import read_text
from quotelake.commands.run_log import RunLog
from quotelake.errors import InputError
from quotelake.lake.runs import Run
from quotelake.nightly.forget_requests import ForgetRequest, entries_of, secret_of
from quotelake.query.catalog import literal
from quotelake.query.engines import RunSql
from quotelake.settings import Settings, load_settings
from quotelake.sources.keyed_hashes import KINDS, forgotten_mark
from quotelake.spark.installation import check_environment


def run(arguments: Namespace) -> None:
    """Run the chain without inputs: at its end the documents go."""
    file, lines = arguments.ids, list[str]()
    if file is not None:
        lines = read_text(str(file), f"--ids {file}", "ids, one a line").splitlines()
    ids = list(dict.fromkeys(filter(None, map(str.strip, lines))))
    if not (ids or arguments.url or arguments.author):
        raise InputError("nothing to forget: give --ids FILE, --author NAME or --url URL")
    check_environment()
    settings = load_settings(arguments.config, arguments.set)
    request = ForgetRequest(ids, arguments.url, arguments.author)
    run_sql = lake_engine("forget", arguments.lake).sql
    about, is_known = _look_up(run_sql, request, settings, arguments.lake)
    if not is_known:
        raise InputError(f"{arguments.lake}: {about}: nothing was done. Look at the ids")
    if arguments.dry_run:
        print(about)
        return

    from quotelake.commands.chain import run_chain  # these bring Spark, which the help needs not
    from quotelake.lake.tables import Lake

    def process(lake: Lake, run: Run) -> list[str]:
        from quotelake.nightly.plan import score_corpus  # imported while Java started

        return score_corpus(lake, run, settings, (), forget_request=request)

    run_chain(arguments.lake, settings, (), process, RunLog(), arguments.night)


def _look_up(run_sql: RunSql, request: ForgetRequest, settings: Settings, root: str) -> tuple[str, bool]:
    """What a request is about, and whether an entry names a document or was carried out before."""
    sources = {*settings.sources, *(row["source"] for row in run_sql("SELECT DISTINCT source FROM files"))}
    secret = secret_of(root, settings)
    entries = entries_of(request, sources, secret)
    wanted = {kind: {value for entry in entries for value in entry.get(kind, ())} for kind in KINDS}
    conditions = [f"{kind} IN ({', '.join(map(literal, sorted(wanted[kind])))})" for kind in KINDS if wanted[kind]]
    rows = run_sql(f"SELECT {', '.join(KINDS)} FROM documents WHERE {' OR '.join(conditions)}")
    there = {(kind, row[kind]) for row in rows for kind in KINDS}
    unknown = sum(there.isdisjoint((kind, v) for kind in entry for v in entry[kind]) for entry in entries)
    marks = {row["mark"] for row in run_sql("SELECT mark FROM forgotten")}
    done = not marks.isdisjoint(forgotten_mark(kind, value, secret) for kind in wanted for value in wanted[kind])
    about = f"{len(rows):,} documents of the lake; {unknown:,} of {len(entries):,} requests name none"
    return about, bool(rows) or done
